import { Route, Switch } from 'wouter';
import { lazyPage } from '../../components/lazy-component.js';
import { AlertsPage } from './alerts-page.js';

const AlertPage = lazyPage(async () => (await import('./alert-page.js')).AlertPage);

export default function Routes() {
  return (
    <Switch>
      <Route path="/">
        <AlertsPage />
      </Route>
      <Route path="/:id">{({ id }) => <AlertPage key={id} id={id} />}</Route>
    </Switch>
  );
}
