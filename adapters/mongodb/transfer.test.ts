// A copy that is cut off at any operation is completed by doing it again, with nothing missing and nothing
// twice.
import { afterAll, expect, it } from 'vitest';
import { nameOf, type TransferRecord } from '#core/domain/transfer.ts';
import { exported, taskOf } from '#test/contract/transfer.suite.ts';
import { createFakeClock } from '#test/helpers/clock.ts';
import { keyOf, insertOf, userOf } from '#test/helpers/records.ts';
import { createMongoHarness } from '#test/services/mongo-harness.ts';
import { describeWith, sharedMongo } from '#test/services/services.ts';
import { submissionOf } from '#test/helpers/submissions.ts';

const MOST_OPERATIONS = 60;

describeWith('a copy that is cut off', await sharedMongo(), ({ url }) => {
  const harness = createMongoHarness(url);
  afterAll(() => harness.drop());

  it.each(['before', 'after'] as const)('%s any operation is whole the next time', async (at) => {
    const clock = createFakeClock();
    let left = Infinity;
    const reach = () => {
      if (left-- <= 0) throw new Error('the process ends here');
    };
    const pass = () => {};
    const hook = at === 'before' ? { before: reach, after: pass } : { before: pass, after: reach };
    const dying = await harness.open(clock, { hook });
    const other = await harness.open(clock);
    let cuts = 0;
    for (let operations = 0; operations < MOST_OPERATIONS; operations++) {
      const user = userOf();
      const key = keyOf(user.id);
      const task = taskOf(user.id, clock.now(), { dedupeKey: 'k', occurrences: 3 });
      const records: TransferRecord[] = [
        { kind: 'user', record: user },
        { kind: 'key', record: key },
        { kind: 'task', record: task },
      ];
      left = operations;
      const cut = await dying.transfer.importAll(records).then(
        () => false,
        () => true,
      );
      await other.transfer.importAll(records);
      const here = await exported(other, clock.now());
      expect(here.map(nameOf).toSorted()).toEqual(records.map(nameOf).toSorted());
      const repeat = submissionOf({
        ownerId: user.id,
        inserts: [insertOf({ dedupeKey: 'k' })],
        at: clock.now(),
      });
      expect(await other.tasks.create(repeat)).toMatchObject({ outcomes: [{ task: { occurrences: 4 } }] });
      expect(await other.accounts.createKey(keyOf(user.id), 1)).toBe(false);
      await harness.empty();
      if (!cut) break;
      cuts++;
    }
    expect(cuts).toBeGreaterThan(5);
    expect(cuts).toBeLessThan(MOST_OPERATIONS);
  });
});
