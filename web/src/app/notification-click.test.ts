import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { runInNewContext } from 'node:vm';
import { expect, test } from 'vitest';

const WORKER = readFileSync(join(import.meta.dirname, '../../worker/sw.mjs'), 'utf8');

/** Runs the real worker among these tabs and taps a notification; resolves with what happened. */
async function tapAmong(...addresses: string[]): Promise<string[]> {
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
  runInNewContext(WORKER, { self, URL });
  let work: unknown;
  handlers.get('notificationclick')?.({
    notification: { close: () => done.push('close') },
    waitUntil: (promise: unknown) => (work = promise),
  });
  await work;
  return done;
}

test.each([
  ['opens the inbox where no tab has it', ['https://q.example/admin'], 'open /inbox'],
  [
    'goes to the tab that has it',
    ['https://q.example/', 'https://q.example/inbox?priority=high'],
    'focus https://q.example/inbox?priority=high',
  ],
])('a tap on a notification %s', async (_, tabs, expected) => {
  expect(await tapAmong(...tabs)).toEqual(['close', expected]);
});
