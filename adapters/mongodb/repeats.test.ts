// What is stored of the repeats of a task: what the task lists of them, and what an older version stored, of
// each the whole outcome.
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import type { TaskInsert } from '#core/domain/submission.ts';
import { acknowledgeTask } from '#core/domain/task.ts';
import type { Storage } from '#core/ports/storage.ts';
import { createFakeClock } from '#test/helpers/clock.ts';
import { insertOf, newOwner } from '#test/helpers/records.ts';
import { createMongoHarness, type MongoUnderTest } from '#test/services/mongo-harness.ts';
import { describeWith, sharedMongo } from '#test/services/services.ts';
import { submissionOf } from '#test/helpers/submissions.ts';
import type { Versioned } from './server/collection.ts';
import type { TaskDocument } from './tasks/task-documents.ts';

interface Processed extends Versioned {
  owner: string;
  task: string;
  answer: string | null;
  purgeAt: Date;
}

describeWith('repeats of one task', await sharedMongo(), ({ url }) => {
  const clock = createFakeClock();
  let harness: MongoUnderTest;
  let stores: [Storage, Storage];

  beforeAll(async () => {
    harness = createMongoHarness(url);
    stores = [await harness.open(clock), await harness.open(clock)];
  });
  afterEach(() => harness.empty());
  afterAll(() => harness.drop());

  const repeatsOf = (count: number) => Array.from({ length: count }, () => insertOf({ dedupeKey: 'k' }));
  const create = async (storage: Storage, ownerId: string, inserts: readonly TaskInsert[]) => {
    const done = await storage.tasks.create(submissionOf({ ownerId, inserts, at: clock.now() }));
    return 'outcomes' in done ? done.outcomes : null;
  };
  const tasks = () => harness.db.collection<TaskDocument>('tasks');
  const processed = () => harness.db.collection<Processed>('applied_orders');

  async function withTask() {
    const [owner, [first]] = [newOwner(), repeatsOf(1) as [TaskInsert]];
    await create(stores[0], owner, [first]);
    return { owner, id: first.id };
  }

  it('are read as an older version stored them', async () => {
    const { owner, id } = await withTask();
    const repeats = repeatsOf(1);
    const outcomes = await create(stores[0], owner, repeats);
    const update = { $set: { answer: JSON.stringify(outcomes?.[0]) }, $unset: { owner: '' as const } };
    expect((await processed().updateOne({ _id: repeats[0]?.id ?? '' }, update)).modifiedCount).toBe(1);
    expect(await create(stores[1], owner, repeats)).toEqual(outcomes);
    const [change] = await stores[0].tasks.change(owner, [id], (task) => acknowledgeTask(task, clock.now()));
    expect(await create(stores[1], owner, repeats)).toEqual([{ created: false, task: change?.after }]);
    await tasks().deleteOne({ _id: id });
    expect(await create(stores[1], owner, repeats)).toMatchObject([
      { created: false, task: { id, acknowledgedAt: clock.now() } },
    ]);
  });

  it('are listed by their task until they are completed, whichever process did that', async () => {
    const { owner, id } = await withTask();
    const listed = async () => (await tasks().findOne({ _id: id }))?.applied ?? [];
    for (let time = 0; time < 15; time++) {
      const process = await harness.open(clock);
      await create(process, owner, repeatsOf(1));
      await process.close();
      expect((await listed()).length).toBeLessThanOrEqual(11);
    }

    // Those of attempts that were cut off stay, for as long as one may go on.
    const cut = (await listed()).slice(-3);
    await processed().updateMany({ _id: { $in: cut } }, { $set: { answer: null } });
    for (let time = 0; time < 20; time++) await create(stores[time % 2] as Storage, owner, repeatsOf(1));
    expect(await listed()).toEqual(expect.arrayContaining(cut));
    expect((await listed()).length).toBeLessThanOrEqual(11);
    expect(await tasks().findOne({ _id: id })).toMatchObject({ occurrences: 36 });
  });
});
