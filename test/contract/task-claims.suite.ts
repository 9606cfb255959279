// Claims (Idempotency-Keys, delivery ids), for every driver of the port TaskStore.
import { beforeEach, describe, expect, it } from 'vitest';
import { CLAIM_TTL_MS } from '#core/contract/index.ts';
import { editTask, type Metadata } from '#core/domain/task.ts';
import type { TaskOutcome } from '#core/domain/submission-outcome.ts';
import type { Claim } from '#core/domain/submission.ts';
import { insertOf } from '#test/helpers/records.ts';
import { submissionOf } from '#test/helpers/submissions.ts';
import type { StorageHarness } from './harness.ts';
import { HOUR, useTasks, type Current } from './task-fixture.ts';

export function describeTaskClaims(harness: StorageHarness): void {
  describe('claims', () => {
    const tasks = useTasks(harness);
    const { submit, apply, acknowledge, get, statistics, revision, sweepAll } = tasks;
    let clock: Current['clock'];
    let under: Current['under'];
    let store: Current['store'];
    let owner: Current['owner'];
    beforeEach(() => void ({ clock, under, store, owner } = tasks.current()));

    const claim: Claim = { scope: 'key:1', key: 'nightly', fingerprint: 'f1' };

    it('replays the outcomes exactly as first answered, whatever became of the tasks', async () => {
      const asked = () => [
        insertOf({ metadata: JSON.parse('{"__proto__":1}') as Metadata, tags: ['db'], pinned: true }),
        insertOf({ dedupeKey: 'disk', priority: 'high' }),
      ];
      const first = await submit(asked(), claim);
      await acknowledge((first[0] as TaskOutcome).task.id);
      clock.advance(HOUR);
      const again = await store.create(
        submissionOf({
          ownerId: owner,
          inserts: asked(),
          claim,
          at: clock.now(),
        }),
      );
      expect(again.kind).toBe('replayed');
      expect(JSON.stringify(again.kind === 'replayed' && again.outcomes)).toBe(JSON.stringify(first));
      expect((await statistics()).total).toBe(1);
    });

    it('replays a repeat of a task as it was counted then, with what the task says now', async () => {
      const { task } =
        (await submit([insertOf({ content: 'disk 91%', dedupeKey: 'disk', tags: ['db'] })]))[0] ?? {};
      if (task === undefined) throw new Error('no task');
      const again = () => submit([insertOf({ content: 'disk 92%', dedupeKey: 'disk' })], claim);
      const first = await again();
      expect(first).toMatchObject([{ created: false, task: { id: task.id, occurrences: 2, tags: ['db'] } }]);
      expect(await again()).toEqual(first);
      await apply(task.id, (now) => editTask(now, { content: 'disk of db1', priority: 'high' }, clock.now()));
      const [{ task: counted } = { task }] = first;
      const edited = [{ created: false, task: { ...counted, content: 'disk of db1' } }];
      expect(await again()).toEqual(edited);
      await acknowledge(task.id);
      expect(await again()).toEqual(edited);
      clock.advance(HOUR);
      await sweepAll();
      expect(await get(task.id)).toBeNull();
      expect(await again()).toEqual([
        { created: false, task: { ...counted, content: 'disk 92%', tags: [] } },
      ]);
    });

    it('refuses another fingerprint and changes nothing', async () => {
      await submit([insertOf()], claim);
      const before = await revision();
      const other = await store.create(
        submissionOf({
          ownerId: owner,
          inserts: [insertOf()],
          claim: { ...claim, fingerprint: 'f2' },
          at: clock.now(),
        }),
      );
      expect(other).toEqual({ kind: 'fingerprint-mismatch' });
      expect(await revision()).toBe(before);
      expect((await statistics()).total).toBe(1);
    });

    it('takes a claim without a fingerprint for the same as any', async () => {
      const delivery: Claim = { scope: 'intake:1', key: 'delivery-7', fingerprint: null };
      const again = (said: Claim) =>
        store.create(submissionOf({ ownerId: owner, inserts: [insertOf()], claim: said, at: clock.now() }));
      const first = await submit([insertOf({ content: 'a' }), insertOf()], delivery);
      const taskIds = first.map(({ task }) => task.id);
      // Nothing but the ids is kept of it.
      const replayed = { kind: 'replayed', taskIds, outcomes: null };
      expect(await again(delivery)).toEqual(replayed);
      expect(await again({ ...delivery, fingerprint: 'f1' })).toEqual(replayed);
      const [printed] = await submit([insertOf()], claim);
      expect(await again({ ...claim, fingerprint: null })).toMatchObject({
        taskIds: [printed?.task.id],
        outcomes: [printed],
      });
      expect((await statistics()).total).toBe(3);
    });

    it('tells what it would answer to a claim, and changes nothing', async () => {
      const read = (said: Claim) => store.readClaim(said, clock.now());
      expect(await read(claim)).toBeNull();
      const outcomes = await submit([insertOf(), insertOf()], claim);
      const before = await revision();
      const taskIds = outcomes.map(({ task }) => task.id);
      expect(await read(claim)).toEqual({ kind: 'replayed', taskIds, outcomes: null });
      expect(await read({ ...claim, fingerprint: 'f2' })).toEqual({ kind: 'fingerprint-mismatch' });
      expect(await read({ ...claim, key: 'weekly' })).toBeNull();
      expect(await revision()).toBe(before);
      clock.advance(CLAIM_TTL_MS);
      expect(await read(claim)).toBeNull();
    });

    it('keeps scopes and keys apart', async () => {
      await submit([insertOf()], claim);
      await submit([insertOf()], { ...claim, scope: 'key:2' });
      await submit([insertOf()], { ...claim, key: 'weekly' });
      expect((await statistics()).total).toBe(3);
    });

    it('remembers for 24 hours and not longer, swept or not', async () => {
      await submit([insertOf({ expiryMinutes: 10_080 })], claim);
      clock.advance(CLAIM_TTL_MS - 1);
      await sweepAll();
      const again = { ownerId: owner, inserts: [insertOf({ expiryMinutes: 10_080 })], claim };
      expect(await store.create(submissionOf({ ...again, at: clock.now() }))).toMatchObject({
        kind: 'replayed',
      });
      clock.advance(1);
      expect(await store.create(submissionOf({ ...again, at: clock.now() }))).toMatchObject({
        kind: 'done',
      });
      expect((await statistics()).total).toBe(2);
      clock.advance(CLAIM_TTL_MS);
      await sweepAll();
      const other = { ...claim, fingerprint: 'f2' };
      expect(await store.create(submissionOf({ ...again, claim: other, at: clock.now() }))).toMatchObject({
        kind: 'done',
      });
    });

    it('has one effect when the same claim comes at once, in two processes', async () => {
      const second = (await under.another()).tasks;
      const answers = await Promise.all(
        Array.from({ length: 20 }, (_, index) =>
          (index % 2 === 0 ? store : second).create(
            submissionOf({
              ownerId: owner,
              inserts: [insertOf(), insertOf()],
              claim,
              at: clock.now(),
            }),
          ),
        ),
      );
      expect(answers.filter(({ kind }) => kind === 'done')).toHaveLength(1);
      expect(answers.filter(({ kind }) => kind === 'fingerprint-mismatch')).toEqual([]);
      expect((await statistics()).total).toBe(2);
      expect(
        await store.create(submissionOf({ ownerId: owner, inserts: [insertOf()], claim, at: clock.now() })),
      ).toMatchObject({ kind: 'replayed' });
    });
  });
}
