import { Route, Switch } from 'wouter';
import { ComparePage } from './compare/compare-page.js';
import { TracePage } from './trace-page.js';
import { TracesPage } from './traces-page.js';

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
