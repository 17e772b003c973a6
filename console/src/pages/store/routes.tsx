import { Route, Switch } from 'wouter';
import { Empty } from '../../components/note.js';
import { Page } from '../../components/page.js';
import { StorePage } from './store-page.js';

export default function Routes() {
  return (
    <Switch>
      <Route path="/">
        <StorePage />
      </Route>
      <Route>
        <Page title="No such page">
          <Empty title="Items have addresses of another form: their namespace and key stand after the question mark." />
        </Page>
      </Route>
    </Switch>
  );
}
