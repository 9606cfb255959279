// Starts the page: the route's chunk, the sign-in link if there is one, React, and the service worker.
import './ui/base.css';
import { startTransition } from 'react';
import { createRoot } from 'react-dom/client';
import { App } from './app/app.tsx';
import { preload } from './app/routes.tsx';
import { refreshProfile } from './lib/session/actions.ts';
import { signInByLink } from './lib/session/sign-in-link.ts';

const loaded = preload(location.pathname);
const byLink = location.hash.includes('signin=');
void (byLink ? signInByLink() : refreshProfile());

async function draw(root: HTMLElement): Promise<void> {
  const app = <App />;
  if (root.firstElementChild === null) return createRoot(root).render(app);
  // A screen that came drawn stays until its own code takes its place, in steps between which it answers.
  await loaded;
  const react = createRoot(root);
  // The inbox has nothing to be read yet: the sooner it asks for tasks the better.
  if (location.pathname === '/inbox') react.render(app);
  else startTransition(() => react.render(app));
}

const root = document.getElementById('root');
if (root !== null) void draw(root);

function registerWorker(): void {
  // Refused in private windows and over plain http: then the app does not open without a network.
  navigator.serviceWorker.register('/sw.js').catch(() => undefined);
}

if (import.meta.env.PROD && 'serviceWorker' in navigator) {
  if (document.readyState === 'complete') registerWorker();
  else window.addEventListener('load', registerWorker);
}
