import { Route, Switch } from 'wouter';
import { CronPage } from './cron-page.js';
import { ListPage } from './list-page.js';

export default function Routes() {
  return (
    <Switch>
      <Route path="/">
        <ListPage />
      </Route>
      <Route path="/:id">{({ id }) => <CronPage key={id} id={id} />}</Route>
    </Switch>
  );
}
