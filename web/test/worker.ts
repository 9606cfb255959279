// The real service worker among tabs that are not: a browser taps no notification for a test.
import WORKER from '../worker/sw.mjs?raw';

/** Runs the real worker among these tabs and taps a notification; resolves with the effects. */
export async function tapAmong(...addresses: string[]): Promise<string[]> {
  const done: string[] = [];
  const handlers = new Map<string, (event: object) => void>();
  const self = {
    addEventListener: (type: string, handler: (event: object) => void) => handlers.set(type, handler),
    clients: {
      matchAll: () =>
        Promise.resolve(
          addresses.map((url) => ({ url, focus: () => Promise.resolve(done.push(`focus ${url}`)) })),
        ),
      openWindow: (path: string) => Promise.resolve(done.push(`open ${path}`)),
    },
  };
  // Our own file, as a browser would run it.
  // oxlint-disable-next-line typescript/no-implied-eval
  const run = new Function('self', WORKER) as (scope: object) => void;
  run(self);
  let work: unknown;
  handlers.get('notificationclick')?.({
    notification: { close: () => done.push('close') },
    waitUntil: (promise: unknown) => (work = promise),
  });
  await work;
  return done;
}
