import { Route, Switch } from 'wouter';
import { ComparePage } from './compare/compare-page.js';
import { DatasetPage } from './dataset-page.js';
import { DatasetsPage } from './datasets-page.js';

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
