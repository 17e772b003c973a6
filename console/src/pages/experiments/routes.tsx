import { Route, Switch } from 'wouter';
import { ExperimentPage } from './experiment-page.js';
import { ExperimentsPage } from './experiments-page.js';

export default function Routes() {
  return (
    <Switch>
      <Route path="/:id">
        <ExperimentPage />
      </Route>
      <Route>
        <ExperimentsPage />
      </Route>
    </Switch>
  );
}
