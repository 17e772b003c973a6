import { Route, Switch } from 'wouter';
import { EmptyState } from '../../components/note.js';
import { Page } from '../../components/page.js';
import { StorePage } from './store-page.js';

export default function Routes() {
  return (
    <Switch>
      <Route path="/">
        <StorePage />
      </Route>
      <Route>
        <Page title="Page not found">
          <EmptyState title="This address does not exist.">
            The address of an item has its namespace and key in the query.
          </EmptyState>
        </Page>
      </Route>
    </Switch>
  );
}
