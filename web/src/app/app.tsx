// The frame of every page: providers, header, the routed screen, and what floats above it.
import { CSPProvider } from '@base-ui/react/csp-provider';
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { Suspense, useCallback, useEffect, useRef, useState, type MouseEvent } from 'react';
import { Route, Switch, useLocation } from 'wouter';
import { AUTH_EXPIRED, AUTH_REQUIRED } from '../lib/session/session.ts';
import {
  currentQuestion,
  subscribeToQuestion,
  type SignOutQuestion,
} from '../lib/session/sign-out-question.ts';
import { OPEN_MODAL } from '../lib/shortcuts.ts';
import { HintLayer } from '../ui/hints.tsx';
import { onDemand } from '../ui/on-demand.tsx';
import { open } from '../ui/opening.ts';
import { OpeningLayer } from '../ui/opening-layer.tsx';
import { notify } from '../ui/toast.tsx';
import { ErrorBoundary } from './error-boundary.tsx';
import { Guard } from './guard.tsx';
import { Header } from './header.tsx';
import { OfflineNotice } from './offline-notice.tsx';
import { NOT_FOUND, PAGES } from './routes.tsx';
import { usePageFocus } from './use-page-focus.ts';
import { useEarlyPress } from './use-early-press.ts';
import { useFrameCommands } from './use-frame-commands.ts';
import { useLiveConnection } from './use-live-connection.ts';
import { useNotifications } from './use-notifications.ts';
import { useUnsentCount } from './use-unsent-count.ts';

const SignInDialog = onDemand(() => import('../features/sign-in/screen/sign-in-dialog.tsx'));
const ProfileDialog = onDemand(() => import('../features/profile/screen/profile-dialog.tsx'));
const Palette = onDemand(() => import('./palette.tsx'));
const LeavingDialog = onDemand(() => import('./sign-out-dialog.tsx'));

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
        <OpeningLayer />
      </QueryClientProvider>
    </CSPProvider>
  );
}

function Frame() {
  const [path] = useLocation();
  const [signIn, setSignIn] = useState({ wanted: false, open: false });
  const openSignIn = useCallback(
    () =>
      void open({
        title: 'Sign In to Qinbox',
        code: SignInDialog,
        field: 'secret',
        show: () => setSignIn({ wanted: true, open: true }),
      }),
    [],
  );
  const closeSignIn = useCallback(() => setSignIn({ wanted: true, open: false }), []);
  const [profile, setProfile] = useState(false);
  const [palette, setPalette] = useState(false);
  const content = useRef<HTMLDivElement>(null);
  const showProfile = useCallback(
    () =>
      void open({
        title: 'User Profile',
        code: ProfileDialog,
        field: 'none',
        show: () => setProfile(true),
      }),
    [],
  );
  const showPalette = useCallback(
    () => void open({ title: 'Command palette', code: Palette, field: 'line', show: () => setPalette(true) }),
    [],
  );
  useLiveConnection();
  useNotifications();
  usePageFocus(path, content);
  usePaletteKey(showPalette);
  const waiting = useUnsentCount();
  const waitingNow = useRef(waiting);
  useEffect(() => {
    waitingNow.current = waiting;
  });
  const leaving = useLeavingQuestion();
  useEarlyPress();
  useFrameCommands({ signIn: openSignIn, showProfile });

  useEffect(() => {
    function onRequired(event: Event) {
      if (!(event instanceof CustomEvent) || !isBackground(event.detail)) openSignIn();
    }
    function onExpired() {
      const kept = waitingNow.current;
      void notify({
        text: 'Your session has ended. Sign in to go on.',
        ...(kept === 0
          ? {}
          : { detail: `${kept === 1 ? '1 change waits' : `${kept} changes wait`} on this device for you.` }),
        timeoutMs: 8000,
      });
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
      <a
        href="#content"
        onClick={(event: MouseEvent) => {
          event.preventDefault();
          content.current?.focus();
        }}
        className="fixed top-2 left-2 z-60 rounded-sm bg-accent px-4 py-2 text-14 font-medium text-on-accent not-focus:sr-only"
      >
        Skip to content
      </a>
      <Header onSignIn={openSignIn} onProfile={showProfile} onPalette={showPalette} />
      <div ref={content} id="content" tabIndex={-1} className="flex flex-1 flex-col outline-none">
        <ErrorBoundary key={path}>
          <Suspense fallback={<main className="flex-1" aria-busy="true" />}>
            <Switch>
              {Object.entries(PAGES).map(([route, { Component, guard }]) => (
                <Route key={route} path={route}>
                  <Guard rule={guard}>
                    <Component />
                  </Guard>
                </Route>
              ))}
              <Route>
                <NOT_FOUND.Component />
              </Route>
            </Switch>
          </Suspense>
        </ErrorBoundary>
      </div>
      <OfflineNotice waiting={waiting} />
      {signIn.wanted ? <SignInDialog.Component open={signIn.open} onClose={closeSignIn} /> : null}
      {profile ? <ProfileDialog.Component onClose={() => setProfile(false)} /> : null}
      {palette ? <Palette.Component onClose={() => setPalette(false)} /> : null}
      {leaving === null ? null : <LeavingDialog.Component question={leaving} />}
    </>
  );
}

// Works in fields as well, but not over a dialog, which would be left half done behind it.
function usePaletteKey(show: () => void) {
  useEffect(() => {
    function onKeyDown(event: KeyboardEvent) {
      const wanted = (event.ctrlKey || event.metaKey) && !event.altKey && !event.shiftKey;
      if (!wanted || event.key.toLowerCase() !== 'k') return;
      event.preventDefault();
      if (document.querySelector(OPEN_MODAL) === null) show();
    }
    document.addEventListener('keydown', onKeyDown);
    return () => document.removeEventListener('keydown', onKeyDown);
  }, [show]);
}

function useLeavingQuestion(): SignOutQuestion | null {
  const [shown, setShown] = useState<SignOutQuestion | null>(null);
  useEffect(
    () =>
      subscribeToQuestion(() => {
        const question = currentQuestion();
        if (question === null) setShown(null);
        else
          void open({
            title: 'Sign Out',
            code: LeavingDialog,
            field: 'none',
            show: () => setShown(question),
          });
      }),
    [],
  );
  return shown;
}
