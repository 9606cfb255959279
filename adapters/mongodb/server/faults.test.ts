// A server that stops answering, or is gone: 503 while it does, nothing doubled by the retry, and all is
// well again by itself once the server is.
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import type { Storage } from '#core/ports/storage.ts';
import { createFakeClock } from '#test/helpers/clock.ts';
import { newOwner, insertOf, userOf } from '#test/helpers/records.ts';
import { sweepOnce } from '#test/helpers/sweeps.ts';
import { createMongoHarness, type MongoUnderTest } from '#test/services/mongo-harness.ts';
import { startProxy, type Proxy } from '#test/services/proxy.ts';
import { describeWith, sharedMongo } from '#test/services/services.ts';
import { submissionOf } from '#test/helpers/submissions.ts';

const UNAVAILABLE = { code: 'SERVICE_UNAVAILABLE', status: 503, retryAfterSeconds: 5 };

describeWith('a server that fails', await sharedMongo(), ({ url }) => {
  const clock = createFakeClock();
  let harness: MongoUnderTest;
  let proxy: Proxy;
  let storage: Storage;

  beforeAll(async () => {
    harness = createMongoHarness(url);
    const address = new URL(harness.url);
    proxy = await startProxy(address.hostname, Number(address.port || 27_017));
    address.host = `127.0.0.1:${proxy.port}`;
    address.searchParams.set('directConnection', 'true');
    storage = await harness.open(clock, { url: address.href });
  });
  afterEach(() => proxy.resume());
  afterAll(async () => {
    await harness.drop();
    await proxy.close();
  });

  describe.each(['hang', 'refuse'] as const)('by way of %s', (fault) => {
    it('answers 503 instead of waiting for it, and makes each task once when it is tried again', async () => {
      const owner = newOwner();
      const claim = { scope: 's', key: newOwner(), fingerprint: 'f' };
      const inserts = [insertOf({ dedupeKey: 'k' }), insertOf(), insertOf()];
      const [stored] = inserts;
      const at = clock.now();
      const user = userOf();
      await storage.tasks.create(submissionOf({ ownerId: owner, inserts: inserts.slice(0, 1), at }));

      proxy[fault]();
      const refused = await Promise.allSettled([
        storage.tasks.create(submissionOf({ ownerId: owner, inserts, at })),
        storage.tasks.create(
          submissionOf({ ownerId: owner, inserts: [insertOf({ dedupeKey: 'k' })], claim, at }),
        ),
        storage.tasks.change(owner, [stored?.id ?? ''], (task) => ({ ...task, content: 'changed' })),
        storage.tasks.list({ ownerId: owner, filter: {}, limit: 10, offset: 0, now: at }),
        sweepOnce(storage.tasks, at, 500),
        storage.accounts.ensureUser(user),
        storage.accounts.findKeyByHash('none'),
        storage.rejected.count(at),
        storage.check(),
      ]);
      for (const result of refused) expect(result).toMatchObject({ status: 'rejected', reason: UNAVAILABLE });

      proxy.resume();
      await vi.waitFor(() => storage.check(), { timeout: 60_000 });
      for (let time = 0; time < 2; time++) {
        await storage.tasks.create(submissionOf({ ownerId: owner, inserts, at }));
        await storage.tasks.create(
          submissionOf({ ownerId: owner, inserts: [insertOf({ dedupeKey: 'k' })], claim, at }),
        );
        await storage.accounts.ensureUser(user);
      }
      const { tasks } = await storage.tasks.list({
        ownerId: owner,
        filter: {},
        limit: 10,
        offset: 0,
        now: at,
      });
      expect(tasks.map(({ occurrences }) => occurrences).toSorted()).toEqual([1, 1, 2]);
      expect(await storage.accounts.getUser(user.id)).toEqual(user);
    });
  });

  it('is passed on as 503 at once by a store that was closed', async () => {
    const other = await harness.open(clock);
    const order = insertOf();
    const owner = newOwner();
    const begun = other.tasks.create(submissionOf({ ownerId: owner, inserts: [order], at: clock.now() }));
    await Promise.all([other.close(), other.close()]);
    expect(await begun).toMatchObject({ kind: 'done' });
    await expect(other.check()).rejects.toMatchObject(UNAVAILABLE);
    await expect(other.tasks.get(owner, order.id, clock.now())).rejects.toMatchObject(UNAVAILABLE);
    expect(await storage.tasks.get(owner, order.id, clock.now())).toMatchObject({ id: order.id });
  });
});
