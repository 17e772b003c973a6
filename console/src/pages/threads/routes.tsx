import { Route, Switch } from 'wouter';
import { ThreadPage } from './thread-page.js';
import { ThreadsPage } from './threads-page.js';

export default function Routes() {
  return (
    <Switch>
      <Route path="/:id">{({ id }) => <ThreadPage key={id} threadId={id} />}</Route>
      <Route>
        <ThreadsPage />
      </Route>
    </Switch>
  );
}
