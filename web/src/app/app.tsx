// The frame of every page: providers, header, the routed screen, and the dialogs and notices above it.
import { CSPProvider } from '@base-ui/react/csp-provider';
import { Suspense, useEffect, useEffectEvent, useRef, useState, type MouseEvent } from 'react';
import { Route, Switch, useLocation } from 'wouter';
import { AUTH_EXPIRED, AUTH_REQUIRED } from '../lib/session/session.ts';
import { subscribeToQuestion, type SignOutQuestion } from '../lib/session/sign-out-question.ts';
import { asRecord } from '../lib/json.ts';
import { listen } from '../lib/listen.ts';
import { plural } from '../lib/text.ts';
import { OPEN_MODAL } from '../lib/shortcuts.ts';
import { useFocusReturn } from '../ui/focus-return.ts';
import { HintLayer } from '../ui/hints.tsx';
import { onDemand } from '../ui/on-demand.tsx';
import { open, type Opening } from '../ui/opening.ts';
import { OpeningLayer } from '../ui/opening-layer.tsx';
import { Spinner } from '../ui/spinner.tsx';
import { notify } from '../ui/toast.tsx';
import { ErrorBoundary } from './error-boundary.tsx';
import { Guard } from './guard.tsx';
import { Header } from './header.tsx';
import { OfflineNotice } from './offline-notice.tsx';
import { NOT_FOUND, PAGES } from './routes.tsx';
import { usePageFocus } from './use-page-focus.ts';
import { useEarlyPress } from './use-early-press.ts';
import { useAppCommands } from './use-app-commands.ts';
import { useLiveConnection } from './use-live-connection.ts';
import { useNotifications } from './use-notifications.ts';
import { usePush } from './use-push.ts';
import { useUnsentCount } from './use-unsent-count.ts';

const SignInDialog = onDemand(() => import('../features/sign-in/screen/sign-in-dialog.tsx'));
const ProfileDialog = onDemand(() => import('../features/profile/screen/profile-dialog.tsx'));
const Palette = onDemand(() => import('./palette.tsx'));
const SignOutDialog = onDemand(() => import('./sign-out-dialog.tsx'));

export function App() {
  return (
    <CSPProvider disableStyleElements>
      <Frame />
      <HintLayer />
      <OpeningLayer />
    </CSPProvider>
  );
}

function Frame() {
  const [path] = useLocation();
  const content = useRef<HTMLDivElement>(null);
  const unsent = useUnsentCount();
  const { signIn, profile, palette } = useFrameDialogs();
  useLiveConnection();
  useNotifications();
  usePush();
  usePageFocus(path, content);
  useFocusReturn();
  usePaletteKey(palette.show);
  useSessionEvents(signIn.show, unsent);
  useEarlyPress();
  useAppCommands({ signIn: signIn.show, showProfile: profile.show });

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
      <Header onSignIn={signIn.show} onProfile={profile.show} onPalette={palette.show} />
      <div ref={content} id="content" tabIndex={-1} className="flex flex-1 flex-col outline-none">
        <ErrorBoundary key={path}>
          <Suspense fallback={<OnItsWay />}>
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
      <OfflineNotice unsent={unsent} />
      <FrameDialogs signIn={signIn} profile={profile} palette={palette} />
    </>
  );
}

/** In place of a page whose code is not there yet. */
function OnItsWay() {
  return (
    <main className="flex flex-1 items-center justify-center py-24" aria-busy="true">
      <span className="late">
        <Spinner size="large" />
      </span>
    </main>
  );
}

/** A dialog that is drawn once its code is there. `wasShown`: it may be drawn closed. */
function useLazyDialog(opening: Omit<Opening, 'show'>) {
  const [state, setState] = useState({ wasShown: false, open: false });
  const [{ show, close }] = useState(() => ({
    show: () => void open({ ...opening, show: () => setState({ wasShown: true, open: true }) }),
    close: () => setState({ wasShown: true, open: false }),
  }));
  return { ...state, show, close };
}

function useFrameDialogs() {
  return {
    signIn: useLazyDialog({ title: 'Sign In to Qinbox', code: SignInDialog, field: 'secret' }),
    profile: useLazyDialog({ title: 'User Profile', code: ProfileDialog, field: 'none' }),
    palette: useLazyDialog({ title: 'Command palette', code: Palette, field: 'line' }),
  };
}

function FrameDialogs({ signIn, profile, palette }: ReturnType<typeof useFrameDialogs>) {
  const question = useSignOutQuestion();
  return (
    <>
      {signIn.wasShown ? <SignInDialog.Component open={signIn.open} onClose={signIn.close} /> : null}
      {profile.open ? <ProfileDialog.Component onClose={profile.close} /> : null}
      {palette.open ? <Palette.Component onClose={palette.close} /> : null}
      {question === null ? null : <SignOutDialog.Component question={question} />}
    </>
  );
}

/** Opens the sign-in dialog when signing in is needed, and says when a session has ended. */
function useSessionEvents(showSignIn: () => void, unsent: number): void {
  const onExpired = useEffectEvent(() => {
    const waits = unsent === 1 ? 'waits' : 'wait';
    void notify({
      text: 'Your session has ended. Sign in to go on.',
      ...(unsent === 0 ? {} : { detail: `${plural(unsent, 'change')} ${waits} on this device for you.` }),
      timeoutMs: 8000,
    });
  });
  useEffect(
    () =>
      listen(window as EventTarget, {
        [AUTH_REQUIRED]: (event) => {
          // In the background a guest's page fetched something: nobody asked for a dialog.
          const { background } = asRecord(event instanceof CustomEvent ? event.detail : null);
          if (background !== true) showSignIn();
        },
        [AUTH_EXPIRED]: () => onExpired(),
      }),
    [showSignIn],
  );
}

// Works in fields as well, but not over a dialog.
function usePaletteKey(show: () => void) {
  useEffect(() => {
    function keydown(event: KeyboardEvent) {
      const wanted = (event.ctrlKey || event.metaKey) && !event.altKey && !event.shiftKey;
      if (!wanted || event.key.toLowerCase() !== 'k') return;
      event.preventDefault();
      if (document.querySelector(OPEN_MODAL) === null) show();
    }
    return listen(document, { keydown });
  }, [show]);
}

function useSignOutQuestion(): SignOutQuestion | null {
  const [shown, setShown] = useState<SignOutQuestion | null>(null);
  useEffect(
    () =>
      subscribeToQuestion((question) => {
        if (question === null) setShown(null);
        else
          void open({
            title: 'Sign Out',
            code: SignOutDialog,
            field: 'none',
            show: () => setShown(question),
          });
      }),
    [],
  );
  return shown;
}
