import { Route, Switch } from 'wouter';
import { lazyPage } from '../../components/lazy-component.js';
import { ExperimentsPage } from './experiments-page.js';

const ExperimentPage = lazyPage(async () => (await import('./experiment-page.js')).ExperimentPage);

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
