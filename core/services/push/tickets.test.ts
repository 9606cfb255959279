// Stored pushes that this process is at: ended once, when all of it is over and none of it failed; else due
// to another process.
import { expect, it, onTestFinished, vi } from 'vitest';
import { openSqliteStorage } from '#adapters/sqlite/storage.ts';
import { PUSH_LEASE_MS, PUSH_WORK, pushLane } from '#core/domain/push-work.ts';
import { newWork } from '#core/domain/work.ts';
import type { WorkStore } from '#core/ports/work-store.ts';
import { createFakeClock } from '#test/helpers/clock.ts';
import { newOwner } from '#test/helpers/records.ts';
import { createTempDir } from '#test/helpers/temp.ts';
import { waitFor } from '#test/program/wait.ts';
import { createPushTickets, joinAll } from './tickets.ts';

const ID = 'task_1 show';

interface Setup {
  isStored?: boolean;
  /** Of the store. */
  change?: Partial<WorkStore>;
}

/** One push of an owner, stored unless told otherwise, and the tickets of a process. */
async function stage({ isStored = true, change = {} }: Setup = {}) {
  const clock = createFakeClock();
  const storage = openSqliteStorage({ file: `${createTempDir()}/qinbox.db`, clock });
  const ownerId = newOwner();
  const lane = pushLane(ownerId);
  const about = { id: ID, key: ID, kind: PUSH_WORK, ownerId, lane, sequence: 0, payload: '{}' };
  const work = { ...newWork(about, clock.now()), dueAt: clock.now() + PUSH_LEASE_MS };
  const store = () => storage.work.add([work]);
  if (isStored) await store();
  const errors: unknown[] = [];
  const progress = vi.fn<WorkStore['progress']>((...args) => storage.work.progress(...args));
  const tickets = createPushTickets({
    work: { ...storage.work, progress, ...change },
    clock,
    onError: (error) => errors.push(error),
  });
  onTestFinished(async () => {
    tickets.close();
    await storage.close();
  });
  return {
    clock,
    errors,
    progress,
    tickets,
    store,
    ownerId,
    take: () => tickets.take(ownerId, ID),
    stored: async () => (await storage.work.get(ownerId, lane, ID)) ?? { status: 'missing', dueAt: null },
    over: () => waitFor('the end', () => !tickets.has(ownerId, ID)),
  };
}

it('is ended once, when it was released and each of its messages has ended', async () => {
  const { take, stored, over, progress, tickets, ownerId } = await stage();
  const ticket = take();
  const [first, second] = [ticket.join(), ticket.join()];
  ticket.release();
  first.ended(true);
  expect(tickets.has(ownerId, ID)).toBe(true);
  expect(await stored()).toMatchObject({ status: 'waiting', attempts: 0 });
  second.ended(true);
  await over();
  expect(await stored()).toMatchObject({ status: 'done', attempts: 1, dueAt: null });
  expect(progress).toHaveBeenCalledTimes(1);
});

it('is not ended before it is released, though its messages are over', async () => {
  const { take, stored, over } = await stage();
  const ticket = take();
  ticket.join().ended(true);
  expect(await stored()).toMatchObject({ status: 'waiting' });
  ticket.release();
  await over();
  expect(await stored()).toMatchObject({ status: 'done' });
});

it.each(['a message failed', 'it was lost'])('is due as before, whole, where %s', async (what) => {
  const { take, stored, over, clock, progress } = await stage();
  const ticket = take();
  const [good, bad] = [ticket.join(), ticket.join()];
  good.ended(true);
  if (what === 'it was lost') ticket.lose();
  bad.ended(what === 'it was lost');
  ticket.release();
  await over();
  expect(await stored()).toMatchObject({ status: 'waiting', dueAt: clock.now() + PUSH_LEASE_MS });
  expect(progress).not.toHaveBeenCalled();
});

it('is ended also where it comes to its lane after the last message', async () => {
  const { take, store, stored, over } = await stage({ isStored: false });
  take().release();
  await store();
  await over();
  expect(await stored()).toMatchObject({ status: 'done' });
});

it('stays as it is where another process has ended it', async () => {
  const { take, stored, over, progress } = await stage();
  take().release();
  await over();
  take().release();
  await over();
  expect(await stored()).toMatchObject({ attempts: 1 });
  expect(progress).toHaveBeenCalledTimes(1);
});

it('is due later by the pause before a message is tried again, and never sooner', async () => {
  const { take, clock, progress } = await stage();
  const watch = take().join();
  const until = clock.now() + 60_000 + PUSH_LEASE_MS;
  for (const [times, afterMs] of [
    [1, 60_000],
    [2, 0],
  ] as const) {
    watch.later(afterMs);
    await waitFor('more time', () => progress.mock.calls.length === times);
  }
  expect(progress.mock.calls.map(([, { dueAt }]) => dueAt)).toEqual([until, until]);
});

it('is due to nobody else for as long as a message is on its way', async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
  onTestFinished(() => void vi.useRealTimers());
  const { take, stored, clock } = await stage();
  take().join();
  for (let seconds = 0; seconds < 60; seconds += 5) {
    clock.advance(5000);
    vi.advanceTimersByTime(5000);
    const dueAt = await waitFor('more time', async () => {
      const { dueAt: due } = await stored();
      return due !== null && due > clock.now() + 5000 ? due : null;
    });
    expect(dueAt).toBeLessThanOrEqual(clock.now() + PUSH_LEASE_MS);
  }
});

it('is left to others where the store does not answer at its end, and the fault is told', async () => {
  const { take, stored, over, errors } = await stage({
    change: { get: () => Promise.reject(new Error('no store')) },
  });
  take().release();
  await over();
  expect(errors).toEqual([new Error('no store')]);
  expect(await stored()).toMatchObject({ status: 'waiting' });
});

it('is part of a message with others: all are ended by it, or none', async () => {
  const { take, tickets, ownerId, stored, over } = await stage();
  const other = tickets.take(ownerId, 'task_2 show');
  const mine = take();
  const watch = joinAll([mine, other]);
  for (const ticket of [mine, other]) ticket.release();
  expect([ID, 'task_2 show'].map((id) => tickets.has(ownerId, id))).toEqual([true, true]);
  watch.ended(true);
  await over();
  expect(await stored()).toMatchObject({ status: 'done' });
});
