// What adding tasks from a file promises, on every driver: they are their owner's, whatever ids they have,
// and nobody is ever shown those of another.
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { UNDO_WINDOW_MS } from '#core/contract/index.ts';
import { acknowledgeTask, editTask, newTask, type Task } from '#core/domain/task.ts';
import type { TaskFilter } from '#core/ports/task-store.ts';
import { createFakeClock, type FakeClock } from '#test/helpers/clock.ts';
import { draft, insertOf, newOwner } from '#test/helpers/records.ts';
import { sweepOnce } from '#test/helpers/sweeps.ts';
import type { StorageHarness, StorageUnderTest } from './harness.ts';

/** Runs the suite on a driver. */
export function describeOwnerData(name: string, harness: StorageHarness): void {
  describe(`tasks from a file: ${name}`, () => {
    let clock: FakeClock;
    let under: StorageUnderTest;

    beforeEach(async () => {
      clock = createFakeClock();
      under = await harness.create(clock);
    });
    afterEach(() => under.dispose());

    const add = (ownerId: string, ...tasks: Task[]) => under.storage.ownerData.addTasks(ownerId, tasks);
    const taskOf = (ownerId: string, id: string, content: string, dedupeKey: string | null = null) =>
      newTask(draft({ content, dedupeKey }), id, ownerId, clock.now());

    /** What every read shows an owner, by content. */
    async function shownTo(ownerId: string, id: string): Promise<string[][]> {
      const { tasks } = under.storage;
      const now = clock.now();
      const list = async (filter: TaskFilter) =>
        (await tasks.list({ ownerId, filter, limit: 10, offset: 0, now })).tasks;
      const one = await tasks.get(ownerId, id, now);
      const read = [
        await list({}),
        await list({ text: 'of' }),
        await tasks.listById({ ownerId, order: 'ascending', limit: 10, now }),
        one === null ? [] : [one],
      ];
      for (const task of read.flat()) expect(task.ownerId).toBe(ownerId);
      return read.map((found) => found.map(({ content }) => content));
    }

    it('under an id of another owner’s task are refused, and show nothing of the other', async () => {
      const [first, second] = [newOwner(), newOwner()];
      const { id } = insertOf();
      const mine = ['of the first'];
      expect(await add(first, taskOf(first, id, 'of the first', 'disk'))).toEqual(['added']);
      expect(await shownTo(first, id)).toEqual([mine, mine, mine, mine]);
      expect(await add(second, taskOf(second, id, 'of the second', 'disk'))).toEqual(['taken']);
      for (let round = 0; round < 2; round++) {
        expect(await shownTo(second, id)).toEqual([[], [], [], []]);
        expect(await shownTo(first, id)).toEqual([mine, mine, mine, mine]);
      }
      const now = clock.now();
      const changed = await under.storage.tasks.change(second, [id], (task) =>
        editTask(task, { content: 'changed, of the second' }, now),
      );
      expect(changed).toEqual([]);
      expect(await shownTo(first, id)).toEqual([mine, mine, mine, mine]);
    });

    it('are shown as the file has them, also where the queue had another task of that id and version', async () => {
      const owner = newOwner();
      const { id } = insertOf();
      expect(await add(owner, taskOf(owner, id, 'of before'))).toEqual(['added']);
      await shownTo(owner, id);
      const at = clock.now();
      await under.storage.tasks.change(owner, [id], (task) => acknowledgeTask(task, at));
      expect(await add(owner, taskOf(owner, id, 'of the file'))).toEqual(['there']);
      clock.advance(UNDO_WINDOW_MS + 1);
      await sweepOnce(under.storage.tasks, clock.now(), 500);
      expect(await add(owner, taskOf(owner, id, 'of the file'))).toEqual(['added']);
      const shown = ['of the file'];
      expect(await shownTo(owner, id)).toEqual([shown, shown, shown, shown]);
    });

    it('keep a dedupe key unless a task that is still live has it, swept or not', async () => {
      const owner = newOwner();
      const [first, second, third] = [insertOf().id, insertOf().id, insertOf().id];
      const before = taskOf(owner, first, 'first', 'disk');
      await add(owner, before);
      expect(await add(owner, taskOf(owner, second, 'second', 'disk'))).toEqual(['added']);
      const { tasks } = under.storage;
      expect(await tasks.get(owner, second, clock.now())).toMatchObject({ dedupeKey: null });
      clock.advance(before.expiresAt - clock.now());
      expect(await add(owner, taskOf(owner, third, 'third', 'disk'))).toEqual(['added']);
      expect(await tasks.get(owner, third, clock.now())).toMatchObject({ dedupeKey: 'disk' });
    });

    it('that come together are added once each, and the first of one dedupe key has it', async () => {
      const owner = newOwner();
      const ids = Array.from({ length: 20 }, () => insertOf().id);
      const together = ids.map((id, index) => taskOf(owner, id, `task ${index}`, `key ${index % 5}`));
      const twice = together.slice(0, 2);
      const [added, there] = [ids.map(() => 'added'), twice.map(() => 'there')];
      expect(await add(owner, ...together, ...twice)).toEqual([...added, ...there]);
      expect(await add(owner, ...together)).toEqual(ids.map(() => 'there'));
      const now = clock.now();
      const keys = ids.map(async (id) => (await under.storage.tasks.get(owner, id, now))?.dedupeKey);
      expect(await Promise.all(keys)).toEqual(ids.map((_, index) => (index < 5 ? `key ${index}` : null)));
    });

    it('are added in their order as far as the quota has room', async () => {
      const owner = newOwner();
      const small = await harness.create(clock, { quota: { tasks: 7, bytes: 1_000_000 } });
      const ids = Array.from({ length: 10 }, () => insertOf().id);
      const tasks = ids.map((id, index) => taskOf(owner, id, `task ${index}`, index % 2 === 0 ? id : null));
      const outcomes = ids.map((_, index) => (index < 7 ? 'added' : 'full'));
      expect(await small.storage.ownerData.addTasks(owner, tasks)).toEqual(outcomes);
      const stored = ids.map(async (id) => small.storage.tasks.get(owner, id, clock.now()));
      expect((await Promise.all(stored)).map((task) => task?.id)).toEqual([
        ...ids.slice(0, 7),
        ...Array.from({ length: 3 }),
      ]);
      await small.dispose();
    });
  });
}
