// Starts the page: the route's chunk, the sign-in link if there is one, React, and the service worker.
import './ui/base.css';
import { createRoot } from 'react-dom/client';
import { App, createQueryClient } from './app/app.tsx';
import { PAGES, preload } from './app/routes.tsx';
import { refreshProfile } from './lib/session/actions.ts';
import { signInByLink } from './lib/session/sign-in-link.ts';

preload(location.pathname);
const byLink = location.hash.includes('signin=');
void (byLink ? signInByLink() : refreshProfile());

async function draw(root: HTMLElement): Promise<void> {
  // A screen that came drawn stays until its own code can take its place.
  if (root.firstElementChild !== null) await PAGES['/'].load().catch(() => undefined);
  createRoot(root).render(<App queryClient={createQueryClient()} />);
}

const root = document.getElementById('root');
if (root !== null) void draw(root);

if (import.meta.env.PROD && 'serviceWorker' in navigator)
  window.addEventListener('load', () => {
    // Refused in private windows and over plain http: then the app does not open without a network.
    navigator.serviceWorker.register('/sw.js').catch(() => undefined);
  });
