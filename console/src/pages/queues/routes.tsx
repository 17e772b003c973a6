import { Route, Switch } from 'wouter';
import { QueuePage } from './queue-page.js';
import { QueuesPage } from './queues-page.js';

export default function Routes() {
  return (
    <Switch>
      <Route path="/:id">
        <QueuePage />
      </Route>
      <Route>
        <QueuesPage />
      </Route>
    </Switch>
  );
}
