// A process that ends between any two operations, with a webhook that is told: an event is stored with its
// change or not at all, and comes to its lane once, whichever process moves it there.
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { acknowledgeTask } from '#core/domain/task.ts';
import type { WebhookPayload } from '#core/domain/webhook.ts';
import type { Storage } from '#core/ports/storage.ts';
import { createFakeClock } from '#test/helpers/clock.ts';
import { insertOf, newOwner, webhookOf } from '#test/helpers/records.ts';
import { submissionOf } from '#test/helpers/submissions.ts';
import { waitFor } from '#test/program/wait.ts';
import { createEnd, cutEverywhere, CUTS, type Processes } from '#test/services/mongo-cuts.ts';
import { createMongoHarness, type MongoUnderTest } from '#test/services/mongo-harness.ts';
import { describeWith, sharedMongo } from '#test/services/services.ts';

describeWith('events of a process that ends in between', await sharedMongo(), ({ url }) => {
  const clock = createFakeClock();
  const end = createEnd();
  let harness: MongoUnderTest;
  let dying: Storage;
  let other: Storage;
  let both: Processes;

  beforeAll(() => {
    harness = createMongoHarness(url);
  });
  beforeEach(async () => {
    dying = await harness.open(clock, { hook: end });
    other = await harness.open(clock);
    both = { end, dying, other, passLease: () => {} };
  });
  afterEach(() => harness.clear());
  afterAll(() => harness.drop());

  async function webhook() {
    const owner = newOwner();
    const made = webhookOf(owner);
    await other.webhooks.create(made, 10);
    // Both look whether webhooks have changed: that is no part of what is cut off.
    for (const storage of [dying, other])
      await waitFor('the webhook', async () => {
        const at = clock.now();
        await storage.tasks.create(submissionOf({ ownerId: owner, inserts: [insertOf()], at }));
        while (await other.work.moveOn(100));
        return (await other.work.list(owner, made.id, 1000)).length > 0;
      });
    await other.work.removeLane(made.id);
    return { owner, lane: made.id };
  }
  const create = (storage: Storage, ownerId: string, insert = insertOf()) =>
    storage.tasks.create(submissionOf({ ownerId, inserts: [insert], at: clock.now() }));

  /** The events of tasks by their ids, moved to their lane by the survivor. */
  async function told(survivor: Storage, owner: string, lane: string): Promise<string[]> {
    // The one that ended may hold the right to move for some seconds more.
    await harness.db.collection('leases').deleteMany({});
    while (await survivor.work.moveOn(100));
    const all = await survivor.work.list(owner, lane, 1000);
    return all.map(({ payload }) => {
      const { type, task } = JSON.parse(payload) as WebhookPayload;
      return `${task.id} ${type}`;
    });
  }

  describe.each(CUTS)('$at an operation, and lives: $lives', (cut) => {
    it('are those of what was stored, once', () =>
      cutEverywhere(
        cut,
        both,
        async () => ({ ...(await webhook()), insert: insertOf({ dedupeKey: 'k' }) }),
        async (storage, { owner, insert }) => {
          await create(storage, owner, insert);
          await storage.tasks.change(owner, [insert.id], (task) => acknowledgeTask(task, clock.now()));
        },
        async ({ owner, lane, insert }, survivor) => {
          await create(survivor, owner, insert);
          await survivor.tasks.change(owner, [insert.id], (task) => acknowledgeTask(task, clock.now()));
          expect((await told(survivor, owner, lane)).toSorted()).toEqual([
            `${insert.id} task.acknowledged`,
            `${insert.id} task.created`,
          ]);
        },
      ));

    it('come to their lane once, and make it due, wherever the move was cut off', () =>
      cutEverywhere(
        cut,
        both,
        async () => {
          const scene = await webhook();
          for (let n = 0; n < 3; n++) await create(other, scene.owner);
          return scene;
        },
        (storage) => storage.work.moveOn(100),
        async ({ owner, lane }, survivor) => {
          expect(await told(survivor, owner, lane)).toHaveLength(3);
          expect(await survivor.work.takeLanes('one', clock.now(), 1000, 10)).toHaveLength(1);
          await survivor.work.removeLane(lane);
        },
      ));
  });
});
