// What a page does besides what is seen: bear translation, start the service worker, hear of a newer version.
import { keepTranslatedTexts } from '../lib/translated-text.ts';

/** What can wait takes nothing from what draws the page; a worker first fetches all of the app. */
const LATER_MS = 2500;

export function afterStart(): void {
  keepTranslatedTexts();
  if (!import.meta.env.PROD) return;
  if (document.readyState === 'complete') later();
  else window.addEventListener('load', later);
}

function later(): void {
  setTimeout(() => {
    // Before the server has another version, and this code no more.
    import('./newer-version.ts').then(
      ({ watchForNewer }) => watchForNewer(),
      () => undefined,
    );
    // Refused in private windows and over plain http: then the app does not open without a network.
    if ('serviceWorker' in navigator) void navigator.serviceWorker.register('/sw.js').catch(() => undefined);
  }, LATER_MS);
}
