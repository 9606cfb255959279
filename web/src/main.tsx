// Starts the page: the route's chunk, the sign-in link if there is one, React, and what comes after it.
import './ui/base.css';
// The first list of the inbox waits for it, and on a phone the number of files costs time.
import './features/inbox/screen/inbox.css';
import { startTransition, useLayoutEffect, type ReactNode } from 'react';
import { createRoot } from 'react-dom/client';
import { App } from './app/app.tsx';
import { preload } from './app/routes.tsx';
import { refreshProfile } from './lib/session/actions.ts';
import { signInByLink } from './lib/session/sign-in-link.ts';

const loaded = preload(location.pathname);
const byLink = location.hash.includes('signin=');
void (byLink ? signInByLink() : refreshProfile());

/** Once the app is drawn, what says that it has not started goes. */
function Started({ children }: { children: ReactNode }) {
  useLayoutEffect(() => document.getElementById('unstarted')?.remove(), []);
  return children;
}

async function draw(root: HTMLElement): Promise<void> {
  const app = (
    <Started>
      <App />
    </Started>
  );
  if (root.firstElementChild === null) return createRoot(root).render(app);
  // A screen that came drawn stays until its own code takes its place, in steps between which it answers.
  await loaded;
  const { dataset } = document.documentElement;
  // The first list can be read, and what is pressed is noted: the whole inbox follows it.
  if (dataset['listed'] !== undefined) await wholeInbox();
  const react = createRoot(root);
  // An inbox without it has nothing to be read yet: the sooner it asks for tasks the better.
  if (location.pathname === '/inbox' && dataset['listed'] === undefined) react.render(app);
  else startTransition(() => react.render(app));
}

async function wholeInbox(): Promise<void> {
  const { loadInbox } = await import('./features/inbox/screen/inbox-page.tsx');
  // A failure shows when the page is drawn.
  await loadInbox().catch(() => undefined);
}

const root = document.getElementById('root');
if (root !== null) void draw(root);

// Nothing is translated before it is drawn. Where this does not come, a translated page may stand still.
import('./app/after-start.ts').then(
  ({ afterStart }) => afterStart(),
  () => undefined,
);
