import { Route, Switch } from 'wouter';
import { lazyPage } from '../../components/lazy-component.js';
import { AssistantsPage } from './assistants-page.js';

const AssistantPage = lazyPage(async () => (await import('./assistant-page.js')).AssistantPage);

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
