// Whether the browser has a network. "No" is certain; "yes" promises nothing.
import { useSyncExternalStore } from 'react';
import { listen } from './listen.ts';

function subscribe(listener: () => void): () => void {
  return listen(window, { online: listener, offline: listener });
}

/** A server on this machine is reached without any network. */
export const SERVER_IS_LOCAL = ['localhost', '127.0.0.1', '[::1]'].includes(location.hostname);

export function isOnline(): boolean {
  return navigator.onLine;
}

export function useOnline(): boolean {
  return useSyncExternalStore(subscribe, isOnline);
}
