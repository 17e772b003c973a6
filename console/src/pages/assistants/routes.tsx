import { Route, Switch } from 'wouter';
import { AssistantPage } from './assistant-page.js';
import { AssistantsPage } from './assistants-page.js';

export default function Routes() {
  return (
    <Switch>
      <Route path="/">
        <AssistantsPage />
      </Route>
      <Route path="/:id">{({ id }) => <AssistantPage key={id} id={id} />}</Route>
    </Switch>
  );
}
