import { Route, Switch } from 'wouter';
import { AssistantPage } from './assistant-page.js';
import { ListPage } from './list-page.js';

export default function Routes() {
  return (
    <Switch>
      <Route path="/">
        <ListPage />
      </Route>
      <Route path="/:id">{({ id }) => <AssistantPage key={id} id={id} />}</Route>
    </Switch>
  );
}
