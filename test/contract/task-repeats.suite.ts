// An insert that repeated a task and comes again, as after a crash of the process that carried it out, for
// every driver of the port TaskStore.
import { beforeEach, describe, expect, it } from 'vitest';
import { editTask } from '#core/domain/task.ts';
import { insertOf } from '#test/helpers/records.ts';
import type { StorageHarness } from './harness.ts';
import { HOUR, MINUTE, useTasks, type Current } from './task-fixture.ts';

export function describeTaskRepeats(harness: StorageHarness): void {
  describe('a repeat that comes again', () => {
    const tasks = useTasks(harness);
    const { submit, add, apply, acknowledge, get, statistics, sweepAll } = tasks;
    let clock: Current['clock'];
    let under: Current['under'];
    let owner: Current['owner'];
    beforeEach(() => void ({ clock, under, owner } = tasks.current()));

    it('answers the task as it is now, and changes nothing', async () => {
      const { id } = await add({ dedupeKey: 'k' });
      const order = insertOf({ dedupeKey: 'k' });
      await submit([order]);
      clock.advance(MINUTE);
      await add({ dedupeKey: 'k', priority: 'high' });
      const edited = await apply(id, (task) => editTask(task, { content: 'edited' }, clock.now()));
      expect(edited).toMatchObject({ occurrences: 3, priority: 'high', content: 'edited' });
      expect(await submit([order])).toEqual([{ created: false, task: edited }]);
      const acknowledged = await acknowledge(id);
      expect(await submit([order])).toEqual([{ created: false, task: acknowledged }]);
    });

    it.each(['acknowledged', 'past its time'])(
      'makes no task once the one that it repeated was %s and is gone',
      async (how) => {
        const { id } = await add({ dedupeKey: 'k', content: 'first', expiryMinutes: 1 });
        const order = insertOf({ dedupeKey: 'k', content: 'again', expiryMinutes: 1, tags: ['x'] });
        await submit([order]);
        if (how === 'acknowledged') await acknowledge(id);
        clock.advance(HOUR);
        await sweepAll();
        const [outcome] = await submit([order]);
        expect(outcome).toMatchObject({
          created: false,
          task: { id, ownerId: owner, content: 'again', tags: ['x'], acknowledgedAt: clock.now() },
        });
        expect(await get(id)).toBeNull();
        expect((await statistics()).total).toBe(0);
        expect(await add({ dedupeKey: 'k' })).toMatchObject({ occurrences: 1 });
      },
    );

    it('left little in the store, however large the task', async () => {
      const large = { dedupeKey: 'k', content: 'x'.repeat(10_000), metadata: { log: 'y'.repeat(50_000) } };
      const { id } = await add(large);
      const stored = async () => (await under.dump()).reduce((bytes, row) => bytes + row.length, 0);
      await submit([insertOf(large)]);
      const before = await stored();
      await submit(Array.from({ length: 20 }, () => insertOf(large)));
      expect((await stored()) - before).toBeLessThan(20 * 1000);
      expect(await get(id)).toMatchObject({ occurrences: 22, ...large });
    });
  });
}
