// The frame of every page: providers, header, the routed screen, and what floats above it.
import { CSPProvider } from '@base-ui/react/csp-provider';
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { lazy, Suspense, useCallback, useEffect, useState } from 'react';
import { Route, Switch, useLocation } from 'wouter';
import { AUTH_EXPIRED, AUTH_REQUIRED } from '../lib/session/session.ts';
import { HintLayer } from '../ui/hints.tsx';
import { notify } from '../ui/toast.tsx';
import { ErrorBoundary } from './error-boundary.tsx';
import { Header } from './header.tsx';
import { NOT_FOUND, PAGES } from './routes.tsx';
import { useLiveConnection } from './use-live-connection.ts';

const SignInDialog = lazy(() => import('../features/sign-in/sign-in-dialog.tsx'));

// A guest's page asked by itself: nobody waits for a dialog.
function isBackground(detail: unknown): boolean {
  return (
    typeof detail === 'object' && detail !== null && 'background' in detail && detail.background === true
  );
}

export function createQueryClient(): QueryClient {
  return new QueryClient({ defaultOptions: { queries: { retry: false } } });
}

export function App({ queryClient }: { queryClient: QueryClient }) {
  return (
    <CSPProvider disableStyleElements>
      <QueryClientProvider client={queryClient}>
        <Frame />
        <HintLayer />
      </QueryClientProvider>
    </CSPProvider>
  );
}

function Frame() {
  const [path] = useLocation();
  const [signIn, setSignIn] = useState({ wanted: false, open: false });
  const openSignIn = useCallback(() => setSignIn({ wanted: true, open: true }), []);
  const closeSignIn = useCallback(() => setSignIn({ wanted: true, open: false }), []);
  useLiveConnection();

  useEffect(() => {
    function onRequired(event: Event) {
      if (!(event instanceof CustomEvent) || !isBackground(event.detail)) openSignIn();
    }
    function onExpired() {
      void notify({ text: 'Your session has ended. Sign in to go on.', timeoutMs: 8000 });
    }
    window.addEventListener(AUTH_REQUIRED, onRequired);
    window.addEventListener(AUTH_EXPIRED, onExpired);
    return () => {
      window.removeEventListener(AUTH_REQUIRED, onRequired);
      window.removeEventListener(AUTH_EXPIRED, onExpired);
    };
  }, [openSignIn]);

  return (
    <>
      <Header onSignIn={openSignIn} />
      <ErrorBoundary key={path}>
        <Suspense fallback={<main className="flex-1" aria-busy="true" />}>
          <Switch>
            {Object.entries(PAGES).map(([route, { Component }]) => (
              <Route key={route} path={route}>
                <Component />
              </Route>
            ))}
            <Route>
              <NOT_FOUND.Component />
            </Route>
          </Switch>
        </Suspense>
      </ErrorBoundary>
      {signIn.wanted ? (
        <Suspense fallback={null}>
          <SignInDialog open={signIn.open} onClose={closeSignIn} />
        </Suspense>
      ) : null}
    </>
  );
}
