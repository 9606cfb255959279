import 'fake-indexeddb/auto';
import { IDBFactory } from 'fake-indexeddb';
import { beforeEach, describe, expect, test, vi } from 'vitest';
import type { Task } from '#core/contract/index.ts';
import { TestBrowser, type TestBrowserOptions } from '../../../test/outbox/browser.ts';
import { ModelServer } from '../../../test/outbox/model-server.ts';
import { aTask } from '../../../test/tasks.ts';
import { ApiError } from '../api/api-error.ts';
import { createDatabase } from './database.ts';
import { placeholderId, type Entry } from './entry.ts';
import type { Outbox } from './outbox.ts';
import { bounded, afterAnswer } from './cached-list.ts';
import { STALE_AFTER_MS } from './rules.ts';

const HOUR = 3_600_000;

let server: ModelServer;
beforeEach(() => {
  server = new ModelServer(3);
});

const taskOf = (id: string): Task => server.tasks.get(id) ?? aTask({ id });
const kinds = (outbox: Outbox) => outbox.getSnapshot().entries.map(({ operation }) => operation.kind);

async function openTab(options: TestBrowserOptions = {}) {
  const browser = new TestBrowser(server, options);
  const tab = await browser.open();
  return { browser, tab, outbox: tab.outbox };
}

test('who shows it is told of changes alone, not of each time that it is read', async () => {
  const { browser, outbox } = await openTab();
  await browser.quiet();
  const before = outbox.getSnapshot();
  let told = 0;
  outbox.subscribe(() => (told += 1));
  await outbox.wake(true);
  await browser.quiet();
  expect(outbox.getSnapshot()).toBe(before);
  expect(told).toBe(0);
  outbox.add({ kind: 'acknowledge', tasks: [taskOf('t0')] });
  expect(told).toBe(1);
});

describe('what cannot be sent', () => {
  test('is shown at once, is said to wait only when it is kept, and is there in the next page', async () => {
    server.network = 'down';
    const { browser, tab, outbox } = await openTab();
    const { outcome } = outbox.add({ kind: 'acknowledge', tasks: [taskOf('t0')] });
    expect(kinds(outbox)).toEqual(['acknowledge']);
    expect(await outcome).toEqual({ kind: 'waits', stored: true });
    expect(outbox.getSnapshot()).toMatchObject({ durable: true, blocked: { reason: 'unreachable' } });
    const again = await browser.reload(tab);
    expect(kinds(again.outbox)).toEqual(['acknowledge']);
    expect(again.outbox.getSnapshot().blocked).not.toBeNull();
  });

  test('and is sent by the next page is told there, also when that is woken while it still reads', async () => {
    server.network = 'down';
    const { browser, tab, outbox } = await openTab();
    for (const id of ['t0', 't1']) outbox.add({ kind: 'pin', task: taskOf(id), pinned: true });
    await browser.quiet();
    browser.kill(tab);
    server.network = 'up';
    const next = await browser.open(null);
    const told: number[] = [];
    next.outbox.on({ caughtUp: (sent) => told.push(sent) });
    void next.outbox.setOwner('user:1');
    void next.outbox.wake(true);
    await browser.quiet();
    expect(told).toEqual([2]);
  });

  test('and is sent before anybody listens is told to the first who does, once', async () => {
    server.network = 'down';
    const { browser, outbox } = await openTab();
    for (const id of ['t0', 't1']) outbox.add({ kind: 'pin', task: taskOf(id), pinned: true });
    await browser.quiet();
    server.network = 'up';
    await outbox.wake(true);
    await browser.quiet();
    outbox.on({ answered: () => undefined });
    const told: string[] = [];
    for (const who of ['first', 'second']) outbox.on({ caughtUp: (sent) => told.push(`${who} ${sent}`) });
    expect(told).toEqual(['first 2']);
  });

  test('is sent in order when it can be, and every tab hears how much that was', async () => {
    server.network = 'down';
    const { browser, outbox } = await openTab();
    const other = await browser.open();
    const told: number[] = [];
    for (const { outbox: each } of browser.tabs) each.on({ caughtUp: (sent) => told.push(sent) });
    for (const id of ['t0', 't1']) outbox.add({ kind: 'pin', task: taskOf(id), pinned: true });
    outbox.add({ kind: 'acknowledge', tasks: [taskOf('t0')] });
    await browser.quiet();
    expect(kinds(other.outbox)).toEqual(['pin', 'pin', 'acknowledge']);
    server.network = 'up';
    await outbox.wake(true);
    await browser.quiet();
    expect(server.calls).toEqual([
      'PATCH /tasks/:id/pin t0',
      'PATCH /tasks/:id/pin t1',
      'DELETE /tasks/:id t0',
    ]);
    expect(told).toEqual([3, 3]);
    for (const { outbox: each } of browser.tabs)
      expect(each.getSnapshot()).toMatchObject({ entries: [], blocked: null });
  });

  test('waits as long as the server says, whatever else happens', async () => {
    server.network = 'busy';
    const { browser, outbox } = await openTab();
    outbox.add({ kind: 'acknowledge', tasks: [taskOf('t0')] });
    await browser.quiet();
    expect(outbox.getSnapshot().blocked).toEqual({ reason: 'busy', message: 'Busy.' });
    await outbox.wake(true);
    await browser.advance(1999);
    expect(server.calls).toEqual(['busy: DELETE /tasks/:id']);
    server.network = 'up';
    await browser.advance(1);
    expect(server.effects).toEqual(['acknowledge t0']);
  });

  test('is tried again after pauses that grow', async () => {
    server.network = 'down';
    const { browser, outbox } = await openTab();
    outbox.add({ kind: 'acknowledge', tasks: [taskOf('t0')] });
    await browser.quiet();
    const attempts: number[] = [];
    for (let second = 0; second < 60; second += 1) {
      await browser.advance(1000);
      attempts.push(outbox.getSnapshot().entries[0]?.attempts ?? 0);
    }
    expect(attempts.at(-1)).toBeGreaterThan(4);
    expect(attempts.at(-1)).toBeLessThan(9);
  });

  test('and is taken back was never done', async () => {
    let online = false;
    const { browser, tab, outbox } = await openTab({ isOnline: () => online });
    await outbox.add({ kind: 'acknowledge', tasks: [taskOf('t1')] }).outcome;
    const { outbox: later } = await browser.reload(tab);
    const [entry] = later.getSnapshot().entries;
    await later.undo(entry?.id ?? '', { kind: 'restore', tasks: [taskOf('t1')] });
    expect(kinds(later)).toEqual([]);
    online = true;
    await later.wake(true);
    expect(server.calls).toEqual([]);
  });

  test('belongs to who did it: nobody else sees or sends it, and it goes when they are back', async () => {
    server.network = 'down';
    const { browser, outbox } = await openTab();
    await outbox.add({ kind: 'acknowledge', tasks: [taskOf('t0')] }).outcome;
    server.network = 'up';
    await outbox.setOwner('user:2');
    expect(kinds(outbox)).toEqual([]);
    await outbox.setOwner(null);
    const other = await browser.open('user:2');
    await other.outbox.wake(true);
    expect(server.calls).toEqual([]);
    await outbox.setOwner('user:1');
    expect(server.effects).toEqual(['acknowledge t0']);
  });

  test('is not sent with credentials that have become another account’s in this very moment', async () => {
    const { browser, outbox } = await openTab({ isSignedIn: (owner) => owner === 'user:2' });
    outbox.add({ kind: 'acknowledge', tasks: [taskOf('t0')] });
    await browser.quiet();
    expect(server.calls).toEqual([]);
    expect(kinds(outbox)).toEqual(['acknowledge']);
  });

  test('waits for who was signed out', async () => {
    server.fault = new ApiError('Sign in.', 'UNAUTHORIZED', 401);
    const { browser, outbox } = await openTab();
    outbox.add({ kind: 'acknowledge', tasks: [taskOf('t0')] });
    await browser.advance(HOUR);
    expect(server.calls).toHaveLength(1);
    expect(kinds(outbox)).toEqual(['acknowledge']);
  });

  test('for more than a day is kept, and sent only when the person says so', async () => {
    server.network = 'down';
    const { browser, tab, outbox } = await openTab();
    outbox.add({ kind: 'create', input: { content: 'old' } });
    await browser.quiet();
    browser.kill(tab);
    server.network = 'up';
    await browser.advance(STALE_AFTER_MS + 1);
    const { outbox: later } = await browser.open();
    expect(server.effects).toEqual([]);
    const [entry] = later.getSnapshot().entries;
    await later.confirm(entry?.id ?? '');
    expect(server.effects).toEqual(['POST /tasks old']);
    expect(kinds(later)).toEqual([]);
  });

  test('on a full disk is sent from this page, which promises no more than that', async () => {
    vi.spyOn(console, 'error').mockImplementation(() => undefined);
    server.network = 'down';
    let full = false;
    const { browser, outbox } = await openTab({ isFull: () => full });
    await outbox.add({ kind: 'acknowledge', tasks: [taskOf('t0')] }).outcome;
    full = true;
    const { outcome } = outbox.add({ kind: 'acknowledge', tasks: [taskOf('t1')] });
    expect(await outcome).toEqual({ kind: 'waits', stored: false });
    expect(outbox.getSnapshot().durable).toBe(false);
    server.network = 'up';
    await outbox.wake(true);
    await browser.quiet();
    expect(server.effects).toEqual(['acknowledge t0', 'acknowledge t1']);
  });
});

describe('a refusal', () => {
  test('of what was done a moment ago goes to the user who did it, and nothing stays', async () => {
    server.fault = new ApiError('The store is full.', 'SERVICE_UNAVAILABLE', 503);
    const { outbox } = await openTab();
    const { outcome } = outbox.add({ kind: 'acknowledge', tasks: [taskOf('t0')] });
    expect(await outcome).toEqual({ kind: 'refused', error: server.fault });
    expect(kinds(outbox)).toEqual([]);
  });

  test('of what had waited is kept with its reason until it was seen', async () => {
    server.network = 'down';
    const { browser, tab, outbox } = await openTab();
    await outbox.add({ kind: 'pin', task: taskOf('t0'), pinned: true }).outcome;
    outbox.add({ kind: 'acknowledge', tasks: [taskOf('t1')] });
    await browser.quiet();
    server.tasks.delete('t0');
    server.network = 'up';
    await outbox.wake(true);
    expect(server.effects).toEqual(['acknowledge t1']);
    const again = await browser.reload(tab);
    const [refused] = again.outbox.getSnapshot().entries;
    expect(refused?.refusal).toEqual({ code: 'NOT_FOUND', message: 'There is no such task.' });
    expect(again.outbox.getSnapshot().blocked).toBeNull();
    await again.outbox.discard(refused?.id ?? '');
    expect(kinds(again.outbox)).toEqual([]);
  });

  test('of what had waited by a fault of the server is tried five times, and holds nothing up for ever', async () => {
    server.network = 'down';
    const { browser, outbox } = await openTab();
    await outbox.add({ kind: 'acknowledge', tasks: [taskOf('t0')] }).outcome;
    server.network = 'up';
    server.fault = new ApiError('', 'INTERNAL_ERROR', 500);
    for (let minute = 0; minute < 10; minute += 1) await browser.advance(60_000);
    expect(server.calls).toHaveLength(4);
    expect(outbox.getSnapshot().entries[0]?.refusal?.message).toBe('It failed');
  });

  test.each([
    ['a page of something in between', new ApiError('', 'HTTP_404', 404)],
    ['a page that is no answer', new ApiError('', 'INVALID_ANSWER', 200)],
    ['a gateway without a server', new ApiError('', 'HTTP_502', 502)],
  ])('is not what %s says: it waits on', async (_, fault) => {
    server.network = 'down';
    const { browser, outbox } = await openTab();
    await outbox.add({ kind: 'acknowledge', tasks: [taskOf('t0')] }).outcome;
    server.network = 'up';
    server.fault = fault;
    await outbox.wake(true);
    expect(outbox.getSnapshot().entries).toMatchObject([{ refusal: null }]);
    server.fault = null;
    await browser.advance(60_000);
    expect(server.effects).toEqual(['acknowledge t0']);
  });
});

describe('an item that is not created yet', () => {
  async function withWaiting() {
    server.network = 'down';
    const opened = await openTab();
    const { entry } = opened.outbox.add({ kind: 'create', input: { content: 'new' } });
    const task = aTask({ id: placeholderId(entry.id), content: 'new' });
    opened.outbox.add({ kind: 'pin', task, pinned: true });
    await opened.browser.quiet();
    return { ...opened, entry };
  }

  test('is created first, then changed under its own id', async () => {
    const { browser, outbox } = await withWaiting();
    server.network = 'up';
    await outbox.wake(true);
    await browser.quiet();
    const created = [...server.tasks.values()].find(({ content }) => content === 'new');
    expect(created).toMatchObject({ pinned: true });
    expect(server.calls).toEqual(['POST /tasks', `PATCH /tasks/:id/pin ${created?.id}`]);
  });

  test('takes with it what was done to it when it is given up', async () => {
    const { outbox, entry } = await withWaiting();
    await outbox.discard(entry.id);
    expect(kinds(outbox)).toEqual([]);
  });

  test('that is refused leaves nothing that is sent without it', async () => {
    const { browser, outbox } = await withWaiting();
    server.network = 'up';
    server.fault = new ApiError('content: too long', 'VALIDATION_ERROR', 400);
    await outbox.wake(true);
    await browser.quiet();
    expect(server.calls).toEqual(['POST /tasks']);
    expect(outbox.getSnapshot().entries.map(({ refusal }) => refusal?.message)).toEqual([
      'content: too long',
      'The item itself could not be added.',
    ]);
  });
});

describe('the list that was seen last', () => {
  const listOf = (tasks: readonly Task[]) => ({
    owner: 'user:1',
    at: 0,
    tasks,
    pagination: { limit: 50, offset: 0, total: tasks.length + 10, returned: tasks.length },
    statistics: { total: 0, high: 0, normal: 0, low: 0, pinned: 0, snoozed: 0 },
  });
  const entryOf = (operation: Entry['operation']): Entry => ({
    id: 'e',
    owner: 'user:1',
    at: 0,
    operation,
    attempts: 1,
    confirmedAt: null,
    refusal: null,
  });

  test('is at most 200 tasks and a mebibyte', () => {
    expect(bounded(listOf(Array.from({ length: 300 }, () => aTask()))).tasks).toHaveLength(200);
    const large = Array.from({ length: 100 }, () => aTask({ content: 'x'.repeat(20_000) }));
    const stored = bounded(listOf(large)).tasks;
    expect(stored.length).toBeGreaterThan(40);
    expect(JSON.stringify(stored).length).toBeLessThan(1024 * 1024 + 1000);
  });

  test('loses what is acknowledged, and takes what the server says of the others', () => {
    const [first, second] = [aTask(), aTask()];
    const acknowledged = afterAnswer(
      listOf([first, second]),
      entryOf({ kind: 'acknowledge', tasks: [first] }),
      [],
    );
    expect(acknowledged.tasks).toEqual([second]);
    expect(acknowledged.pagination.total).toBe(11);
    const pinned = { ...second, pinned: true, version: 2 };
    const changed = afterAnswer(
      listOf([first, second]),
      entryOf({ kind: 'pin', task: second, pinned: true }),
      [pinned],
    );
    expect(changed.tasks).toEqual([pinned, first]);
    expect(changed.pagination.total).toBe(12);
  });
});

describe('the database', () => {
  test('gives a lease to one tab at a time, until it is given back or its time is over', async () => {
    globalThis.indexedDB = new IDBFactory();
    const database = createDatabase();
    expect(await database.lease('x', 'a', 0, 100)).toBe(true);
    expect(await database.lease('x', 'b', 50, 150)).toBe(false);
    expect(await database.lease('x', 'a', 50, 0)).toBe(true);
    expect(await database.lease('x', 'b', 50, 150)).toBe(true);
    expect(await database.lease('x', 'a', 150, 250)).toBe(true);
  });

  test('removes what another account left long ago, and lists that are not of who is signed in', async () => {
    globalThis.indexedDB = new IDBFactory();
    const database = createDatabase();
    const entry: Entry = {
      id: 'e',
      owner: 'user:1',
      at: 10,
      operation: { kind: 'create', input: { content: 'x' } },
      attempts: 0,
      confirmedAt: null,
      refusal: null,
    };
    for (const owner of ['user:1', 'user:2'])
      await database.entries.change(owner, () => [{ ...entry, owner }], true);
    await database.purge(11, 'user:1');
    expect(await database.entries.read('user:1')).toHaveLength(1);
    expect(await database.entries.read('user:2')).toEqual([]);
    const list = {
      at: 0,
      tasks: [],
      pagination: { limit: 1, offset: 0, total: 0, returned: 0 },
      statistics: { total: 0, high: 0, normal: 0, low: 0, pinned: 0, snoozed: 0 },
    };
    for (const owner of ['user:1', 'user:2']) await database.writeList({ ...list, owner });
    await database.deleteListsExcept('user:1');
    expect(await database.readList('user:1')).toBeDefined();
    expect(await database.readList('user:2')).toBeUndefined();
  });
});
