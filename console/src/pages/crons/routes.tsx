import { Route, Switch } from 'wouter';
import { lazyPage } from '../../components/lazy-component.js';
import { CronsPage } from './crons-page.js';

const CronPage = lazyPage(async () => (await import('./cron-page.js')).CronPage);

export default function Routes() {
  return (
    <Switch>
      <Route path="/">
        <CronsPage />
      </Route>
      <Route path="/:id">{({ id }) => <CronPage key={id} id={id} />}</Route>
    </Switch>
  );
}
