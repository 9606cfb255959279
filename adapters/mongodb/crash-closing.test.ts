// A process that ends while it resolves tasks or stores intakes: the next attempt finishes it, and what is
// newer stays.
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { taskIdsOf } from '#core/domain/submission-outcome.ts';
import { acknowledgeTask, type Task } from '#core/domain/task.ts';
import type { Submission } from '#core/domain/submission.ts';
import type { SubmissionOutcome } from '#core/domain/submission-outcome.ts';
import type { Storage } from '#core/ports/storage.ts';
import { createFakeClock } from '#test/helpers/clock.ts';
import { intakeOf, newOwner, insertOf } from '#test/helpers/records.ts';
import { createEnd, cutEverywhere, CUTS, type Processes } from '#test/services/mongo-cuts.ts';
import { createMongoHarness, type MongoUnderTest } from '#test/services/mongo-harness.ts';
import { describeWith, sharedMongo } from '#test/services/services.ts';
import { submissionOf } from '#test/helpers/submissions.ts';
import { CLAIM_LEASE_MS } from './claims.ts';

function idsIn(outcome: SubmissionOutcome): string[] {
  if (outcome.kind !== 'done' && outcome.kind !== 'replayed') throw new Error(`unexpected ${outcome.kind}`);
  return taskIdsOf(outcome);
}

describeWith('a process that ends while it closes or stores intakes', await sharedMongo(), ({ url }) => {
  const clock = createFakeClock();
  const end = createEnd();
  let harness: MongoUnderTest;
  let other: Storage;
  let both: Processes;

  beforeAll(async () => {
    harness = createMongoHarness(url);
    const dying = await harness.open(clock, { hook: end });
    other = await harness.open(clock);
    both = { end, dying, other, passLease: () => void clock.advance(CLAIM_LEASE_MS) };
  });
  afterEach(() => harness.empty());
  afterAll(() => harness.drop());

  const create = (storage: Storage, ownerId: string, command: Partial<Submission>) =>
    storage.tasks.create(submissionOf({ ownerId, inserts: [], at: clock.now(), ...command }));
  const live = async (owner: string): Promise<readonly Task[]> =>
    (await other.tasks.list({ ownerId: owner, filter: {}, limit: 100, offset: 0, now: clock.now() })).tasks;

  describe.each(CUTS)('$at an operation, and lives: $lives', (cut) => {
    it('closes and carries out a claim once, and leaves what was reported after it', () =>
      cutEverywhere(
        cut,
        both,
        async () => {
          const scene = { owner: newOwner(), at: clock.now() };
          await create(other, scene.owner, {
            inserts: [insertOf({ dedupeKey: 'k' }), insertOf({ dedupeKey: 'over' })],
          });
          return scene;
        },
        (storage, scene) => create(storage, scene.owner, command(scene)),
        async (scene, survivor) => {
          clock.advance(1);
          await create(other, scene.owner, { inserts: [insertOf({ dedupeKey: 'over' })] });
          for (let time = 0; time < 2; time++)
            expect(idsIn(await create(survivor, scene.owner, command(scene)))).toHaveLength(1);
          const tasks = await live(scene.owner);
          // Closed, and made anew of the order that came with it.
          expect(tasks.filter(({ dedupeKey }) => dedupeKey === 'k')).toMatchObject([{ occurrences: 1 }]);
          // Whatever was reported after the word that it is over is there.
          expect(tasks.filter(({ dedupeKey }) => dedupeKey === 'over')).toHaveLength(1);
        },
      ));

    it('tells what a submission without a claim resolved, whichever attempt did it', () =>
      cutEverywhere(
        cut,
        both,
        async () => {
          const ownerId = newOwner();
          await create(other, ownerId, { inserts: [insertOf({ dedupeKey: 'k' })] });
          return submissionOf({ id: 'sub_1', ownerId, inserts: [], resolves: ['k'], at: clock.now() });
        },
        (storage, submission) => storage.tasks.create(submission),
        async (submission, survivor) => {
          expect(await survivor.tasks.create(submission)).toMatchObject({ resolved: [{ dedupeKey: 'k' }] });
          const later = { ...submission, id: 'sub_2' };
          expect(await other.tasks.create(later)).toMatchObject({ kind: 'done', resolved: [] });
        },
      ));

    it('counts a report of a silent task once', () =>
      cutEverywhere(
        cut,
        both,
        async () => {
          const [owner, first] = [newOwner(), quiet()];
          await create(other, owner, { inserts: [first] });
          await other.tasks.change(owner, [first.id], (task) => acknowledgeTask(task, clock.now()));
          return { owner, order: quiet() };
        },
        (storage, { owner, order }) => create(storage, owner, { inserts: [order] }),
        async ({ owner, order }, survivor) => {
          for (let time = 0; time < 2; time++)
            expect(await create(survivor, owner, { inserts: [order] })).toMatchObject({
              outcomes: [{ created: false, task: { occurrences: 2 } }],
            });
          expect(await live(owner)).toEqual([]);
        },
      ));

    it('stores an intake that its token finds, and changes the token, or neither', () =>
      cutEverywhere(
        cut,
        both,
        () => Promise.resolve(intakeOf(newOwner())),
        async (storage, intake) => {
          await storage.intakes.create(intake, 1);
          await storage.intakes.change(intake.ownerId, intake.id, fresh);
        },
        async (intake, survivor) => {
          const { ownerId, id, tokens } = intake;
          // Made again with its very tokens, unless it is there.
          if ((await survivor.intakes.get(ownerId, id)) === null)
            expect(await survivor.intakes.create(intake, 1)).toBe(true);
          const find = async (hash: string) => (await other.intakes.findByTokenHash(hash, clock.now()))?.id;
          const isChanged = (await find(`fresh ${id}`)) !== undefined;
          expect(await find(tokens[0]?.hash as string)).toBe(isChanged ? undefined : id);
          expect(await survivor.intakes.change(ownerId, id, fresh)).toMatchObject({ id });
          expect(await find(`fresh ${id}`)).toBe(id);
          expect(await find(tokens[0]?.hash as string)).toBeUndefined();
          expect(await survivor.intakes.create(intakeOf(ownerId), 1)).toBe(false);
        },
      ));
  });

  it('closes as of the first attempt, when the same is sent once more later', async () => {
    const owner = newOwner();
    end.plan(1, { at: 'before', lives: false });
    await expect(create(both.dying, owner, command({ owner, at: clock.now() }))).rejects.toThrow(
      'the process',
    );
    end.lift();
    clock.advance(CLAIM_LEASE_MS);
    const newer = insertOf({ dedupeKey: 'over' });
    await create(other, owner, { inserts: [newer] });
    const again = await create(other, owner, command({ owner, at: clock.now() }));
    expect(again).toMatchObject({ kind: 'done', resolved: [] });
    expect((await live(owner)).map(({ id }) => id)).toContain(newer.id);
  });

  it('leaves no token behind once its time is over', async () => {
    const intake = intakeOf(newOwner());
    end.plan(5, { at: 'before', lives: false });
    await expect(both.dying.intakes.create(intake, 1)).rejects.toThrow('ends here');
    end.lift();
    const tokens = harness.db.collection('intake_tokens');
    expect(await tokens.countDocuments({})).toBe(1);
    clock.advance(48 * 3_600_000);
    await other.intakes.purge(clock.now());
    expect(await tokens.countDocuments({})).toBe(0);
  });
});

/** What is over, and what fires at once; with another id at every attempt. */
function command({ owner, at }: { owner: string; at: number }): Partial<Submission> {
  const claim = { scope: 'intake:1', key: owner, fingerprint: null };
  return { resolves: ['k', 'over'], inserts: [insertOf({ dedupeKey: 'k' })], claim, at };
}

const quiet = () => insertOf({ dedupeKey: 'quiet', reopens: false });
const fresh = <T extends { id: string }>(intake: T) => ({
  ...intake,
  tokens: [{ hash: `fresh ${intake.id}`, sealed: 's', until: null }],
});
