import { Route, Switch } from 'wouter';
import { PublicPage } from './public-page.js';

export default function Routes() {
  return (
    <Switch>
      <Route path="/:token">
        <PublicPage />
      </Route>
    </Switch>
  );
}
