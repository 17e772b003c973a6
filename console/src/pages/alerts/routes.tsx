import { Route, Switch } from 'wouter';
import { AlertPage } from './alert-page.js';
import { AlertsPage } from './alerts-page.js';

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
