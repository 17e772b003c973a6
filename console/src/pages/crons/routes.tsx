import { Route, Switch } from 'wouter';
import { CronPage } from './cron-page.js';
import { CronsPage } from './crons-page.js';

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
