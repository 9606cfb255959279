// The feed of a queue, on the real store: whatever is reported, acknowledged and cut in between, a subscriber
// that goes on after its last item misses nothing and is told nothing twice.
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { draft } from '#test/helpers/records.ts';
import { sweepOnce } from '#test/helpers/sweeps.ts';
import { buildFixture, type Fixture } from '#test/helpers/app.ts';
import { cursorOf, type FeedItem, type FeedStart } from '#core/domain/feed.ts';
import type { Task } from '#core/domain/task.ts';
import type { Subscription } from '#core/ports/adapter/subscription.ts';
import { createRechecks, type Rechecks } from '#core/services/rechecks.ts';
import { createQueueFeed, type QueueFeed } from '#core/services/feed/queue-feed.ts';
import type { SignedIn } from '#core/services/principal.ts';

let app: Fixture;
let owners = 0;
beforeAll(async () => {
  app = await buildFixture();
});
afterAll(() => app.close());

async function queueOf() {
  const { id: ownerId } = await app.user(`feed${++owners}@example.com`);
  const principal: SignedIn = { kind: 'key', ownerId, keyId: 'key', scopes: ['read'], expiresAt: null };
  const { submissions, inbox } = app.parts;
  const store = async (fields: { content?: string; dedupeKey?: string } = {}) => {
    const drafts = [draft({ content: 'x', ...fields })];
    const { outcomes } = await submissions.store({ ownerId, adapter: 'rest', drafts, requestId: 'r' });
    return outcomes[0]?.task as Task;
  };
  const live = async () => (await inbox.list({ ownerId, filter: {}, limit: 1000, offset: 0 })).tasks;
  return { ownerId, principal, store, live, inbox };
}

/** All may stay, or nobody. */
function rechecksWith(isAllowed: () => boolean): Rechecks {
  const rechecks = createRechecks({
    bus: app.parts.bus,
    stillAllowed: (_, principals) => Promise.resolve(new Set(isAllowed() ? principals : [])),
    onError(error) {
      throw error;
    },
  });
  onTestFinished(() => rechecks.close());
  return rechecks;
}

function feedOf(
  parts: { maxPerOwner?: number; lateMs?: number; maxLogged?: number; maxWaiting?: number } = {},
): QueueFeed {
  const { storage, bus, clock } = app.parts;
  const feed = createQueueFeed({
    tasks: storage.tasks,
    bus,
    clock,
    rechecks: rechecksWith(() => true),
    maxPerOwner: 100,
    lateMs: 0,
    onError(error) {
      throw error;
    },
    ...parts,
  });
  onTestFinished(() => feed.close());
  return feed;
}

function subscribe(feed: QueueFeed, principal: SignedIn, start: FeedStart, follow = true): Subscription {
  const signal = new AbortController().signal;
  return feed.subscribe(principal, { start, follow, signal });
}

/** All that is there; nothing is waited for. */
async function take(subscription: Subscription, most = Infinity): Promise<FeedItem[]> {
  const items: FeedItem[] = [];
  while (items.length < most) {
    const item = await subscription.next(1);
    if (item === null || item === 'idle') break;
    items.push(item);
  }
  return items;
}

const idsOf = (items: readonly FeedItem[]) =>
  items.map((item) => (item.kind === 'message' ? item.task.id : `- ${item.taskId}`));

describe('a subscription', () => {
  it('is told that a snoozed task left, and once that it is back, woken by time or by a person', async () => {
    const { ownerId, principal, store, inbox } = await queueOf();
    const feed = feedOf();
    const [timed, early] = [await store({ dedupeKey: 'k' }), await store()];
    const subscription = subscribe(feed, principal, { kind: 'all' });
    expect(idsOf(await take(subscription))).toEqual([timed.id, early.id]);
    const until = app.clock.now() + 60_000;
    for (const { id } of [timed, early]) await inbox.snooze({ ownerId, id }, until);
    // Whatever is done to it in its sleep is told to nobody.
    await store({ dedupeKey: 'k' });
    await inbox.pin({ ownerId, id: timed.id }, true);
    expect(idsOf(await take(subscription))).toEqual([`- ${timed.id}`, `- ${early.id}`]);
    const all = async () =>
      idsOf(await take(subscribe(feed, principal, { kind: 'all' }, false))).filter(
        (id) => !id.startsWith('-'),
      );
    expect(await all()).toEqual([]);
    await inbox.snooze({ ownerId, id: early.id }, null);
    app.clock.advance(60_000);
    const wake = async () => {
      const { woken } = await sweepOnce(app.parts.storage.tasks, app.clock.now(), 500);
      for (const task of woken) app.parts.bus.publish({ kind: 'task', type: 'task.restored', task });
    };
    await wake();
    await wake();
    const back = await take(subscription);
    expect(idsOf(back)).toEqual([early.id, timed.id]);
    // Who goes on after an item misses nothing and is told nothing twice.
    const after = subscribe(feed, principal, { kind: 'after', cursor: back[0]?.cursor ?? '' }, false);
    expect(idsOf(await take(after))).toEqual([timed.id]);
    expect(idsOf(await take(subscribe(feed, principal, { kind: 'all' }, false)))).toEqual([
      early.id,
      timed.id,
    ]);
  });

  it('begins where it is asked to', async () => {
    const { principal, store } = await queueOf();
    const feed = feedOf();
    const [a, b] = [await store(), await store()];
    const now = app.clock.now();
    app.clock.advance(10);
    const c = await store();
    const read = async (start: FeedStart) => idsOf(await take(subscribe(feed, principal, start, false)));
    expect(await read({ kind: 'all' })).toEqual([a.id, b.id, c.id]);
    expect(await read({ kind: 'latest' })).toEqual([c.id]);
    expect(await read({ kind: 'now' })).toEqual([]);
    expect(await read({ kind: 'time', from: now + 1 })).toEqual([c.id]);
    expect(await read({ kind: 'after', cursor: cursorOf(a) })).toEqual([b.id, c.id]);
    // Of another server, or of an item that is long gone: rather all than nothing.
    expect(await read({ kind: 'after', cursor: 'unknown' })).toEqual([a.id, b.id, c.id]);
  });

  it('tells what comes, what is reported again, restored, and what leaves', async () => {
    const { principal, ownerId, store, inbox } = await queueOf();
    const subscription = subscribe(feedOf(), principal, { kind: 'now' });
    const task = await store({ dedupeKey: 'k' });
    app.clock.advance(5);
    await store({ dedupeKey: 'k' });
    await inbox.pin({ ownerId, id: task.id }, true);
    await inbox.edit({ ownerId, id: task.id }, { content: 'edited' });
    await inbox.acknowledge({ ownerId, id: task.id });
    app.clock.advance(5);
    await inbox.restore({ ownerId, id: task.id });
    const items = await take(subscription);
    expect(idsOf(items)).toEqual([task.id, task.id, `- ${task.id}`, task.id]);
    expect(new Set(items.map(({ cursor }) => cursor)).size).toBe(4);
  });

  it('goes on where it was cut, in the order in which things were told', async () => {
    const { principal, store } = await queueOf();
    const feed = feedOf();
    const old = await store({ dedupeKey: 'k' });
    app.clock.advance(1000);
    const first = subscribe(feed, principal, { kind: 'all' });
    const b = await store();
    app.clock.advance(1000);
    // An old task, reported again: it comes after what is newer.
    const again = await store({ dedupeKey: 'k' });
    const [, second] = await take(first, 2);
    expect(second).toMatchObject({ kind: 'message', cursor: cursorOf(again), task: { id: old.id } });
    first.close();
    const c = await store();
    const next = await take(subscribe(feed, principal, { kind: 'after', cursor: cursorOf(b) }));
    expect(idsOf(next)).toEqual([old.id, c.id]);
    // A server that knows nothing of it any more has the same order.
    const fresh = await take(subscribe(feedOf(), principal, { kind: 'after', cursor: cursorOf(b) }));
    expect(idsOf(fresh)).toEqual([old.id, c.id]);
  });

  it('is told late what a queue stored late, though its id is smaller', async () => {
    const { principal, store } = await queueOf();
    const a = await store();
    app.clock.advance(2000);
    const b = await store();
    const after = { kind: 'after', cursor: cursorOf(b) } as const;
    expect(idsOf(await take(subscribe(feedOf(), principal, after)))).toEqual([]);
    expect(idsOf(await take(subscribe(feedOf({ lateMs: 2000 }), principal, after)))).toEqual([a.id]);
  });

  it('hears after a reset what it has missed, once', async () => {
    const { principal, ownerId, store } = await queueOf();
    const subscription = subscribe(feedOf(), principal, { kind: 'now' });
    const known = await store();
    const inserts = [{ id: known.id.slice(0, -1) + '~', draft: draft({ content: 'unheard' }) }];
    const at = app.clock.now();
    await app.parts.storage.tasks.create({ ownerId, adapter: 'rest', inserts, at, requestId: 'r' });
    app.parts.bus.publish({ kind: 'reset', ownerId: null });
    app.parts.bus.publish({ kind: 'reset', ownerId });
    const items: FeedItem[] = [];
    while (items.length < 2) {
      const item = await subscription.next(2000);
      if (item === null || item === 'idle') break;
      items.push(item);
    }
    expect(idsOf(items)).toEqual([known.id, inserts[0]?.id]);
    expect(await take(subscription)).toEqual([]);
  });

  it('misses nothing where more came than may wait for it, and more than the log holds', async () => {
    const { principal, store } = await queueOf();
    const feed = feedOf({ maxLogged: 7, maxWaiting: 3 });
    const slow = subscribe(feed, principal, { kind: 'now' });
    await take(slow);
    const ids: string[] = [];
    for (let time = 0; time < 30; time++) {
      app.clock.advance(1);
      ids.push((await store()).id);
    }
    expect(idsOf(await take(slow))).toEqual(ids);
    ids.push((await store()).id);
    expect(idsOf(await take(slow))).toEqual(ids.slice(30));
    expect(idsOf(await take(subscribe(feed, principal, { kind: 'all' }, false)))).toEqual(ids);
  });

  it('ends with its signal, its access, its feed', async () => {
    const { principal, store } = await queueOf();
    const feed = feedOf({ maxPerOwner: 2 });
    const cut = new AbortController();
    const options = { start: { kind: 'now' }, follow: true } as const;
    const first = feed.subscribe(principal, { ...options, signal: cut.signal });
    const slow = subscribe(feed, principal, { kind: 'now' });
    expect(() => subscribe(feed, principal, { kind: 'now' })).toThrow('Too many live connections');
    const waiting = first.next(60_000);
    cut.abort();
    expect(await waiting).toBeNull();
    expect(feed.size()).toBe(1);
    const lastWaiting = slow.next(60_000);
    feed.close();
    expect(await lastWaiting).toBeNull();
    await store();
    expect(feed.size()).toBe(0);
  });

  it('ends when its key is revoked', async () => {
    const { principal } = await queueOf();
    const { storage, bus, clock } = app.parts;
    let allowed = true;
    const feed = createQueueFeed({
      tasks: storage.tasks,
      bus,
      clock,
      rechecks: rechecksWith(() => allowed),
      maxPerOwner: 1,
      lateMs: 0,
      onError() {},
    });
    onTestFinished(() => feed.close());
    const subscription = subscribe(feed, principal, { kind: 'now' });
    bus.publish({ kind: 'access', userId: principal.ownerId });
    expect(await subscription.next(20)).toBe('idle');
    allowed = false;
    bus.publish({ kind: 'access', userId: null });
    expect(await subscription.next(2000)).toBeNull();
  });

  it('ends when its key expires, and not before', async () => {
    const { principal } = await queueOf();
    const { clock, parts } = app;
    const expiring = { ...principal, expiresAt: clock.now() + 50 } as SignedIn;
    const subscription = subscribe(parts.feed, expiring, { kind: 'now' });
    clock.advance(49);
    expect(await subscription.next(100)).toBe('idle');
    clock.advance(1);
    expect(await subscription.next(2000)).toBeNull();
  });
});

const step = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({ kind: fc.constant('store' as const), key: fc.constantFrom('', 'a', 'b') }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('acknowledge' as const), pick: fc.nat(20) }) },
  {
    weight: 3,
    arbitrary: fc.record({ kind: fc.constant('take' as const), most: fc.integer({ min: 1, max: 5 }) }),
  },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('cut' as const), restart: fc.boolean() }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('wait' as const), ms: fc.constantFrom(1, 1000) }) },
);

/** The usual ones, and such as are reached soon. */
const limits = fc.constantFrom({}, { maxLogged: 6, maxWaiting: 2 }, { maxLogged: 20, maxWaiting: 4 });

it('misses nothing and repeats nothing, whatever happens and wherever it is cut', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 40 }), fc.boolean(), limits, async (steps, ticks, limit) => {
      const { principal, ownerId, store, live, inbox } = await queueOf();
      let feed = feedOf(limit);
      let subscription = subscribe(feed, principal, { kind: 'now' });
      const seen: FeedItem[] = [];
      const cut = (): void => {
        subscription.close();
        const last = seen.at(-1);
        const start =
          last === undefined ? ({ kind: 'all' } as const) : ({ kind: 'after', cursor: last.cursor } as const);
        subscription = subscribe(feed, principal, start);
      };
      for (const event of steps) {
        if (ticks) app.clock.advance(1);
        switch (event.kind) {
          case 'store':
            await store(event.key === '' ? {} : { dedupeKey: event.key });
            break;
          case 'acknowledge': {
            const tasks = await live();
            const task = tasks[event.pick % Math.max(1, tasks.length)];
            if (task !== undefined) await inbox.acknowledge({ ownerId, id: task.id });
            break;
          }
          case 'take':
            seen.push(...(await take(subscription, event.most)));
            break;
          case 'cut':
            // A server that was started anew has no log.
            if (event.restart) {
              feed.close();
              feed = feedOf(limit);
            }
            cut();
            break;
          case 'wait':
            app.clock.advance(event.ms);
        }
      }
      cut();
      seen.push(...(await take(subscription)));
      const cursors = seen.map(({ cursor }) => cursor);
      // A log that begins does not know the order of repeats within a millisecond: rather twice than never.
      if (ticks) expect(new Set(cursors).size).toBe(cursors.length);
      for (const task of await live()) expect(cursors).toContain(cursorOf(task));
      feed.close();
    }),
    { numRuns: 150 },
  );
});
