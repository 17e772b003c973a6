import { QueryClientProvider } from '@tanstack/react-query';
import { Suspense } from 'react';
import { RouterProvider } from 'react-aria-components';
import { Route, Router, Switch, useLocation } from 'wouter';
import { queryClient } from '../api/query-client.js';
import { CONSOLE_PATH } from '../api/session.js';
import { EmptyState, Loading } from '../components/note.js';
import { useFullHref } from '../components/console-href.js';
import { Page } from '../components/page.js';
import { ErrorBoundary } from './error-boundary.js';
import { Toaster } from '../components/toaster.js';
import { useNavigationFocus } from './navigation-focus.js';
import { CredentialDialog } from './credential-dialog.js';
import { GalleryRoutes, HomeRoutes, PublicRoutes, SECTIONS } from './sections.js';
import { Permissions } from './permissions.js';
import { Shell } from './shell.js';

export function App() {
  return (
    <QueryClientProvider client={queryClient}>
      <Router base={CONSOLE_PATH}>
        <ConsoleLayout />
      </Router>
    </QueryClientProvider>
  );
}

function ConsoleLayout() {
  const [location, navigate] = useLocation();
  useNavigationFocus(location);
  if (location.startsWith('/public/'))
    return (
      <RouterProvider navigate={navigate} useHref={useFullHref}>
        <main id="main" tabIndex={-1}>
          <ErrorBoundary>
            <Suspense fallback={<Loading />}>
              <Route path="/public" nest>
                <PublicRoutes />
              </Route>
            </Suspense>
          </ErrorBoundary>
        </main>
      </RouterProvider>
    );
  return (
    <RouterProvider navigate={navigate} useHref={useFullHref}>
      <Permissions>
        <Shell>
          <ErrorBoundary key={location.split('/')[1] ?? ''}>
            <Switch>
              <Route path="/">
                <HomeRoutes />
              </Route>
              {SECTIONS.map(({ path, routes: Routes }) => (
                <Route key={path} path={path} nest>
                  <Routes />
                </Route>
              ))}
              {GalleryRoutes === null ? null : (
                <Route path="/gallery">
                  <GalleryRoutes />
                </Route>
              )}
              <Route>
                <Page title="Page not found">
                  <EmptyState title="This address does not exist in the console.">
                    Choose a page from the menu.
                  </EmptyState>
                </Page>
              </Route>
            </Switch>
          </ErrorBoundary>
        </Shell>
      </Permissions>
      <ErrorBoundary>
        <CredentialDialog />
      </ErrorBoundary>
      <Toaster />
    </RouterProvider>
  );
}
