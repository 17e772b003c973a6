import { QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from 'react-aria-components';
import { Redirect, Route, Router, Switch, useLocation } from 'wouter';
import { queryClient } from '../api/queries.js';
import { BASE } from '../api/session.js';
import { Empty } from '../components/note.js';
import { useHref } from '../components/link.js';
import { Page } from '../components/page.js';
import { ErrorBoundary } from './error-boundary.js';
import { Said } from '../components/said.js';
import { useArrival } from './arrival.js';
import { KeyDialog } from './key-dialog.js';
import { ROOMS } from './rooms.js';
import { Shell } from './shell.js';

export function App() {
  return (
    <QueryClientProvider client={queryClient}>
      <Router base={BASE}>
        <Inside />
      </Router>
    </QueryClientProvider>
  );
}

function Inside() {
  const [location, navigate] = useLocation();
  useArrival(location);
  return (
    <RouterProvider navigate={navigate} useHref={useHref}>
      <Shell>
        <ErrorBoundary key={location.split('/')[1] ?? ''}>
          <Switch>
            <Route path="/">
              <Redirect to="/threads" replace />
            </Route>
            {ROOMS.map(({ path, routes: Routes }) => (
              <Route key={path} path={path} nest>
                <Routes />
              </Route>
            ))}
            <Route>
              <Page title="No such page">
                <Empty title="There is no such page in the console." />
              </Page>
            </Route>
          </Switch>
        </ErrorBoundary>
      </Shell>
      <KeyDialog />
      <Said />
    </RouterProvider>
  );
}
