// The page's outbox, created once: stored in the browser's database, sent over the API, retried when the
// network or the page is back, and kept the same in all tabs.
import { ID_BYTES, type Operation } from './entry.ts';
import { exclusively, hasLocks } from '../exclusively.ts';
import { SERVER_IS_LOCAL, isOnline } from '../online.ts';
import { api, serverClock, session, subscribeLive } from '../services.ts';
import { randomHex } from '../random-id.ts';
import { accountOf } from '../session/account.ts';
import { pageTimers } from '../timers.ts';
import { createDatabase } from './database.ts';
import { Outbox } from './outbox.ts';
import type { OutboxMessage } from './types.ts';
import { createPerform } from './perform.ts';
import { createCachedLists } from './cached-list.ts';

const NAME = 'qinbox.outbox';
/** Longer than sending one entry takes. Two tabs that send the same do it once, with two requests. */
const LEASE_MS = 20_000;
const LAST_TRY_MS = 3000;
/** The longest lifetime of an unpinned task: older entries of other accounts are removed. */
const ABANDONED_AFTER_MS = 7 * 24 * 60 * 60_000;

/** For failed calls without a text. */
const FAILURES: Record<Operation['kind'], string> = {
  create: 'Failed to create task',
  edit: 'Failed to update task',
  extend: 'Failed to update task',
  restore: 'Failed to update task',
  acknowledge: 'Failed to delete task',
  pin: 'Failed to update pin status',
  change: 'Failed to update task',
};

const database = 'indexedDB' in globalThis ? createDatabase() : null;
const channel = 'BroadcastChannel' in globalThis ? new BroadcastChannel(NAME) : null;
const tab = randomHex(ID_BYTES);

export const cachedLists = createCachedLists(database);

const send = createPerform(
  api,
  (owner) => accountOf(session) === owner,
  () => serverClock.now(),
);

export const outbox = new Outbox({
  disk: database?.entries ?? null,
  async perform(entry) {
    const tasks = await send(entry);
    await cachedLists.answered(entry, tasks);
    return tasks;
  },
  failureText: ({ kind }) => Promise.resolve(FAILURES[kind]),
  // Without any network a server on this machine is reached all the same.
  isReachable: () => SERVER_IS_LOCAL || isOnline(),
  hasNetwork: isOnline,
  withLock,
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- no window here
  broadcast: (message) => channel?.postMessage(message),
  // As tasks and Idempotency-Keys have it: how old a change is does not go by this device's clock.
  clock: { ...pageTimers, now: () => serverClock.now() },
});

/** Resolves once the entries are read from the browser's database. */
export async function outboxIsRead(): Promise<void> {
  if (outbox.getSnapshot().ready) return;
  await new Promise<void>((resolve) => {
    const unsubscribe = outbox.subscribe(() => {
      if (!outbox.getSnapshot().ready) return;
      unsubscribe();
      resolve();
    });
  });
}

/** Tries to send everything now. Resolves with how many changes signing out would lose. */
export async function changesLeft(): Promise<number> {
  if (outbox.getSnapshot().entries.length > 0)
    await Promise.race([outbox.wake(true), new Promise((resolve) => setTimeout(resolve, LAST_TRY_MS))]);
  return outbox.getSnapshot().entries.filter(({ refusal }) => refusal === null).length;
}

/** Removes everything of the signed-in account from the browser's database. */
export async function clearAccount(): Promise<void> {
  await outbox.clear();
  await cachedLists.deleteExcept(null);
}

async function withLock(work: () => Promise<void>): Promise<void> {
  if (hasLocks || database === null) return exclusively(NAME, work);
  const now = Date.now();
  const mine = await database.lease(NAME, tab, now, now + LEASE_MS).catch(() => true);
  if (!mine) {
    setTimeout(() => void outbox.wake(), LEASE_MS);
    return;
  }
  await work();
  await database.lease(NAME, tab, now, 0).catch(() => false);
}

function followSession(): void {
  const account = accountOf(session);
  void outbox.setOwner(account);
  void cachedLists.deleteExcept(account);
}

let isPurged = false;

// Only by the server's time: by a wrong clock everything would be old.
async function purgeOnce(): Promise<void> {
  if (isPurged) return;
  isPurged = true;
  await database?.purge(serverClock.now() - ABANDONED_AFTER_MS, accountOf(session)).catch(() => undefined);
}

session.subscribe(followSession);
followSession();

channel?.addEventListener('message', ({ data }: MessageEvent<OutboxMessage>) => void outbox.onMessage(data));
window.addEventListener('online', () => void outbox.wake(true));
window.addEventListener('offline', () => void outbox.wake());
document.addEventListener('visibilitychange', () => {
  if (!document.hidden) void outbox.wake(true);
});
subscribeLive(({ type }) => {
  if (type === 'hello') void purgeOnce();
  if (type === 'connected') void outbox.wake(true);
});
