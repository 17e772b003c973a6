import { Route, Switch } from 'wouter';
import { lazyPage } from '../../components/lazy-component.js';
import { ThreadsPage } from './threads-page.js';

const ThreadPage = lazyPage(async () => (await import('./thread-page.js')).ThreadPage);

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
