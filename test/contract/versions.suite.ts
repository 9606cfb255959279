// A change that names the version it was decided on is made to that version or not at all, also when several
// processes change at once.
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createLocalEventBus } from '#adapters/memory/event-bus.ts';
import { createInbox, type Inbox } from '#core/services/inbox.ts';
import { createSearches } from '#core/services/searches.ts';
import { createFakeClock, type FakeClock } from '#test/helpers/clock.ts';
import { newOwner, insertOf } from '#test/helpers/records.ts';
import { submissionOf } from '#test/helpers/submissions.ts';
import type { StorageHarness, StorageUnderTest } from './harness.ts';

/** Runs the suite on a driver. */
export function describeVersions(name: string, harness: StorageHarness): void {
  describe(`changes of one version: ${name}`, () => {
    let clock: FakeClock;
    let under: StorageUnderTest;
    let inboxes: Inbox[];
    const ownerId = newOwner();

    beforeEach(async () => {
      clock = createFakeClock();
      under = await harness.create(clock);
      inboxes = [under.storage, await under.another()].map(({ tasks }) =>
        createInbox({ tasks, bus: createLocalEventBus(), clock, searches: createSearches() }),
      );
    });
    afterEach(() => under.dispose());

    async function make(): Promise<string> {
      const order = insertOf();
      await under.storage.tasks.create(submissionOf({ ownerId, inserts: [order], at: clock.now() }));
      return order.id;
    }
    const read = (id: string) => under.storage.tasks.get(ownerId, id, clock.now());

    it('lets exactly one of many through who decided on the same version', async () => {
      const id = await make();
      const edits = Array.from({ length: 20 }, (_, index) =>
        (inboxes[index % 2] as Inbox).edit(
          { ownerId, id, allowed: new Set([1]) },
          { content: `edit ${index}` },
        ),
      );
      const results = await Promise.allSettled(edits);
      const [won, ...more] = results.flatMap((result) =>
        result.status === 'fulfilled' ? [result.value] : [],
      );
      expect(more).toEqual([]);
      expect(await read(id)).toMatchObject({ version: 2, content: won?.content });
      for (const result of results)
        if (result.status === 'rejected')
          expect(result.reason).toMatchObject({ code: 'PRECONDITION_FAILED', status: 412 });
    });

    it('changes nothing of another version, and tells of what is gone as gone', async () => {
      const id = await make();
      const inbox = inboxes[0] as Inbox;
      const wrong = { ownerId, id, allowed: new Set([2, 7]) };
      const refused = await Promise.allSettled([
        inbox.edit(wrong, { content: 'x' }),
        inbox.pin(wrong, true),
        inbox.extend(wrong, 5),
        inbox.acknowledge(wrong),
      ]);
      for (const result of refused) expect(result).toMatchObject({ reason: { code: 'PRECONDITION_FAILED' } });
      expect(await read(id)).toMatchObject({ version: 1, content: 'backup failed', pinned: false });
      await inbox.acknowledge({ ownerId, id, allowed: new Set([1, 5]) });
      await expect(inbox.acknowledge({ ownerId, id, allowed: new Set([2]) })).rejects.toMatchObject({
        code: 'NOT_FOUND',
      });
      await expect(inbox.restore({ ownerId, id, allowed: new Set([1]) })).rejects.toMatchObject({
        code: 'PRECONDITION_FAILED',
      });
      expect(await inbox.restore({ ownerId, id, allowed: new Set([2]) })).toMatchObject({ version: 3 });
    });
  });
}
