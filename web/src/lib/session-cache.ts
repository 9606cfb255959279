// Secrets that only this page knows, until the person signs out.
import { session } from './services.ts';

/** A map that is emptied when the token session ends. */
export function createSessionCache<T>(): Map<string, T> {
  const cache = new Map<string, T>();
  session.subscribe(() => {
    if (session.getState().method !== 'jwt') cache.clear();
  });
  return cache;
}
