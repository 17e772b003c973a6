import { Route, Switch } from 'wouter';
import { lazyPage } from '../../components/lazy-component.js';
import { QueuesPage } from './queues-page.js';

const QueuePage = lazyPage(async () => (await import('./queue-page.js')).QueuePage);

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
