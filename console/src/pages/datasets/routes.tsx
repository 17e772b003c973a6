import { Route, Switch } from 'wouter';
import { lazyPage } from '../../components/lazy-component.js';
import { DatasetsPage } from './datasets-page.js';

const ComparePage = lazyPage(async () => (await import('./compare/compare-page.js')).ComparePage);
const DatasetPage = lazyPage(async () => (await import('./dataset-page.js')).DatasetPage);

export default function Routes() {
  return (
    <Switch>
      <Route path="/:id/compare">
        <ComparePage />
      </Route>
      <Route path="/:id">
        <DatasetPage />
      </Route>
      <Route>
        <DatasetsPage />
      </Route>
    </Switch>
  );
}
