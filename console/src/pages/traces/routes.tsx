import { Route, Switch } from 'wouter';
import { lazyPage } from '../../components/lazy-component.js';
import { TracesPage } from './traces-page.js';

const ComparePage = lazyPage(async () => (await import('./compare/compare-page.js')).ComparePage);
const TracePage = lazyPage(async () => (await import('./trace-page.js')).TracePage);

export default function Routes() {
  return (
    <Switch>
      <Route path="/compare">
        <ComparePage />
      </Route>
      <Route path="/:id">
        <TracePage />
      </Route>
      <Route>
        <TracesPage />
      </Route>
    </Switch>
  );
}
