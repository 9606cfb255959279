// What is particular to MongoDB: opening, indexes, what goes over the wire, and what is in the documents.
import { inspect } from 'node:util';
import { Collection } from 'mongodb';
import { afterAll, afterEach, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest';
import { createApiKeySecret, hashSecret, keyHint } from '#core/domain/api-key.ts';
import { acknowledgeTask } from '#core/domain/task.ts';
import type { Storage } from '#core/ports/storage.ts';
import { createFakeClock } from '#test/helpers/clock.ts';
import { deliveryTo, intakeOf, keyOf, newOwner, insertOf, sessionOf, userOf } from '#test/helpers/records.ts';
import { sweepOnce } from '#test/helpers/sweeps.ts';
import { createMongoHarness, type MongoUnderTest } from '#test/services/mongo-harness.ts';
import { describeWith, sharedMongo } from '#test/services/services.ts';
import { submissionOf } from '#test/helpers/submissions.ts';
import { INDEXES } from './server/collections.ts';
import { openMongoStorage } from './storage.ts';

describe('opening', () => {
  it.each([
    [
      'a server that is not there',
      'mongodb://ada:canary%2Fp@127.0.0.1:1/qinbox',
      '127.0.0.1:1',
      { code: 'SERVICE_UNAVAILABLE' },
    ],
    [
      'an address that is none',
      'mongodb://ada:canary/p@127.0.0.1:1/qinbox',
      'MONGODB_URL',
      { variable: 'MONGODB_URL' },
    ],
  ])('refuses %s in one line, without the password', async (_, url, named, kind) => {
    const refusal = await openMongoStorage({ url, clock: createFakeClock() }).catch(
      (error: unknown) => error,
    );
    expect(refusal).toMatchObject(kind);
    expect(String(refusal)).toContain(named);
    expect(String(refusal)).toContain('MONGODB_URL');
    expect(String(refusal)).not.toContain('\n');
    expect(inspect(refusal, { depth: 10 })).not.toContain('canary');
  });
});

describeWith('MongoDB', await sharedMongo(), ({ url }) => {
  const clock = createFakeClock();
  let harness: MongoUnderTest;
  let storage: Storage;

  beforeAll(async () => {
    harness = createMongoHarness(url);
    storage = await harness.open(clock);
  });
  afterEach(() => vi.restoreAllMocks());
  afterAll(() => harness.drop());

  const create = (owner: string, ...inserts: ReturnType<typeof insertOf>[]) =>
    storage.tasks.create(submissionOf({ ownerId: owner, inserts, at: clock.now() }));

  describe('a search', () => {
    it('is given up by the server after its time, with a clear answer, and leaves the rest as it is', async () => {
      const owner = newOwner();
      const hurried = await harness.open(clock, { searchMs: 1 });
      const content = 'lorem ipsum dolor sit amet '.repeat(370);
      for (let done = 0; done < 3000; done += 500)
        await create(owner, ...Array.from({ length: 500 }, () => insertOf({ content })));
      await expect(
        hurried.tasks.list({
          ownerId: owner,
          filter: { text: 'nowhere' },
          limit: 10,
          offset: 0,
          now: clock.now(),
        }),
      ).rejects.toMatchObject({
        code: 'SERVICE_UNAVAILABLE',
        message: expect.stringContaining('did not end the search in time') as string,
        retryAfterSeconds: 5,
      });
      expect(
        await hurried.tasks.list({ ownerId: owner, filter: {}, limit: 10, offset: 0, now: clock.now() }),
      ).toMatchObject({ total: 3000 });
      expect(
        await storage.tasks.list({
          ownerId: owner,
          filter: { text: 'AMET' },
          limit: 10,
          offset: 0,
          now: clock.now(),
        }),
      ).toMatchObject({
        total: 3000,
      });
      const stop = new AbortController();
      const search = storage.tasks.list({
        ownerId: owner,
        filter: { text: 'nowhere' },
        limit: 10,
        offset: 0,
        now: clock.now(),
        signal: stop.signal,
      });
      stop.abort(new Error('enough'));
      await expect(search).rejects.toThrow('enough');
    });
  });

  it('lets the server remove nothing sooner than three days late, also where an earlier version made its indexes', async () => {
    const old = createMongoHarness(url);
    onTestFinished(() => old.drop());
    for (const name of ['tasks', 'sessions'])
      await old.db.collection(name).createIndex({ purgeAt: 1 }, { name: 'purge', expireAfterSeconds: 0 });
    // Several processes start at once.
    await Promise.all([old.open(clock), old.open(clock), old.open(clock)]);
    for (const name of ['tasks', 'sessions', 'claims', 'rejected']) {
      const indexes = await old.db.collection(name).indexes();
      const ttl = indexes.filter(({ expireAfterSeconds }) => expireAfterSeconds !== undefined);
      expect(ttl, name).toMatchObject([{ name: 'purge', expireAfterSeconds: 3 * 24 * 3600 }]);
    }
  });

  it('sends the inserts of one turn together, and answers each by its own outcome', async () => {
    const [owner, stranger] = [newOwner(), newOwner()];
    const foreign = insertOf();
    await create(stranger, foreign);
    const insertMany = vi.spyOn(Collection.prototype, 'insertMany');
    const answers = await Promise.allSettled([
      ...Array.from({ length: 100 }, () => create(owner, insertOf())),
      create(owner, foreign),
    ]);
    expect(insertMany).toHaveBeenCalledTimes(1);
    expect(answers.filter(({ status }) => status === 'fulfilled')).toHaveLength(100);
    expect(answers.at(-1)).toMatchObject({ status: 'rejected', reason: { code: 'CONFLICT' } });
    expect((await storage.tasks.statistics(owner, clock.now())).total).toBe(100);
  });

  it('asks for a journaled write on a majority', async () => {
    const insertMany = vi.spyOn(Collection.prototype, 'insertMany');
    await create(newOwner(), insertOf());
    const collection = insertMany.mock.contexts[0] as Collection;
    expect(collection.writeConcern).toMatchObject({ w: 'majority', journal: true });
  });

  it('leaves the API keys of an earlier version without an end', async () => {
    const { user } = await storage.accounts.ensureUser(userOf());
    const key = keyOf(user.id);
    await storage.accounts.createKey(key, 25);
    const { modifiedCount } = await harness.db
      .collection('api_keys')
      .updateOne({ id: key.id }, { $unset: { expiresAt: '' } });
    expect(modifiedCount).toBe(1);
    expect(await storage.accounts.listKeys(user.id)).toEqual([key]);
  });

  it('keeps no secret, only hashes', async () => {
    const secrets = Array.from({ length: 4 }, () => createApiKeySecret());
    const [apiKey, refresh, previous, link] = secrets as [string, string, string, string];
    const { user } = await storage.accounts.ensureUser(userOf());
    await storage.accounts.createKey(keyOf(user.id, { hash: hashSecret(apiKey), ...keyHint(apiKey) }), 25);
    await storage.accounts.createSession(
      sessionOf(user.id, { refreshHash: hashSecret(refresh), previousHash: hashSecret(previous) }),
    );
    await storage.accounts.createLink(hashSecret(link), user.id, clock.now() + 1000);
    const collections = await harness.db.listCollections({}, { nameOnly: true }).toArray();
    const contents = await Promise.all(
      collections.map(({ name }) => harness.db.collection(name).find({}).toArray()),
    );
    const all = JSON.stringify(contents);
    for (const secret of secrets) {
      expect(all).toContain(hashSecret(secret));
      expect(all).not.toContain(secret);
      // Not even a part that would let the rest be guessed.
      expect(all).not.toContain(secret.slice(8, 20));
    }
  });

  it('leaves no dedupe key or claim behind once its time is over', async () => {
    await harness.empty();
    const owner = newOwner();
    const first = insertOf({ dedupeKey: 'k' });
    await create(owner, first, insertOf({ dedupeKey: 'k' }), insertOf({ dedupeKey: 'j', expiryMinutes: 1 }));
    await storage.tasks.change(owner, [first.id], (task) => acknowledgeTask(task, clock.now()));
    clock.advance(48 * 3_600_000);
    while ((await sweepOnce(storage.tasks, clock.now(), 500)).more);
    const collections = await harness.db
      .listCollections({ name: { $ne: 'schema' } }, { nameOnly: true })
      .toArray();
    for (const { name } of collections)
      expect(await harness.db.collection(name).countDocuments({}), name).toBe(0);
  });

  it('reads by an index whatever it asks', async () => {
    const asked: { name: string; filter: Record<string, unknown>; sort: Record<string, 1 | -1> }[] = [];
    const note = (collection: unknown, filter: unknown, sort: unknown = {}) =>
      asked.push({
        name: (collection as Collection).collectionName,
        filter: filter as Record<string, unknown>,
        sort: sort as Record<string, 1 | -1>,
      });
    const find = vi.spyOn(Collection.prototype, 'find');
    const aggregate = vi.spyOn(Collection.prototype, 'aggregate');
    const remove = vi.spyOn(Collection.prototype, 'deleteMany');

    const owner = newOwner();
    const order = insertOf({ dedupeKey: 'k', expiryMinutes: 1 });
    await create(owner, order, insertOf(), insertOf({ dedupeKey: 'k' }));
    const now = clock.now();
    for (const filter of [
      {},
      { priority: 'high' },
      { pinned: true },
      { text: 'a', tag: 'b' },
      { source: 'c' },
    ] as const)
      await storage.tasks.list({ ownerId: owner, filter, limit: 1, offset: 1, now });
    await storage.tasks.revision(owner, now);
    await storage.tasks.listRestorable(owner, now, 10);
    clock.advance(48 * 3_600_000);
    await sweepOnce(storage.tasks, clock.now(), 500);
    const { user } = await storage.accounts.ensureUser(userOf());
    const key = keyOf(user.id);
    await storage.accounts.createKey(key, 2);
    await storage.accounts.listKeys(user.id);
    await storage.accounts.revokeKey(user.id, key.id, 1);
    await storage.accounts.listUsers();
    await storage.accounts.createSession(sessionOf(user.id));
    await storage.accounts.revokeSessions(user.id, 1);
    await storage.accounts.purge(clock.now());
    await storage.rejected.list(now, 10);
    await storage.rejected.count(now);
    await storage.rejected.purge(now);
    const intake = intakeOf(owner);
    await storage.intakes.create(intake, 1);
    await storage.intakes.list(owner);
    await storage.intakes.addDeliveries(Array.from({ length: 10 }, () => deliveryTo(intake)));
    await storage.intakes.listDeliveries(owner, intake.id, 10);
    await storage.intakes.purge(now);
    await storage.adapterData.list('slack', 'link', now);
    await storage.adapterData.list('slack', 'link', now, owner);
    await storage.adapterData.purge(now);

    find.mock.calls.forEach(([filter, options], call) =>
      note(find.mock.contexts[call], filter, options?.sort),
    );
    aggregate.mock.calls.forEach(([pipeline], call) =>
      note(aggregate.mock.contexts[call], pipeline?.[0]?.['$match']),
    );
    remove.mock.calls.forEach(([filter], call) => note(remove.mock.contexts[call], filter));
    vi.restoreAllMocks();
    expect(asked.length).toBeGreaterThan(20);

    for (const { name, filter, sort } of asked) {
      const query = `${name} ${inspect(filter, { depth: 3 })} sorted by ${inspect(sort)}`;
      expect(indexFor(name, filter, sort), query).toBe(true);
      const plan: unknown = await harness.db.collection(name).find(filter, { sort }).explain();
      const stages = JSON.stringify(plan);
      expect(stages, query).not.toMatch(/"COLLSCAN"/);
    }
  });
});

/**
 * Whether an index has the fields of the filter first, as far as they are fixed values, and then those of the
 * sort.
 */
function indexFor(name: string, filter: Record<string, unknown>, sort: Record<string, number>): boolean {
  const wanted = Object.keys(sort);
  if ('_id' in filter) return true;
  return (INDEXES[name] ?? []).some(({ key }) => {
    const fields = Object.keys(key);
    const fixed = fields.findIndex((field) => !isFixed(filter[field]));
    const rest = fields.slice(fixed === -1 ? fields.length : fixed);
    // A fixed field that is sorted by is in order already.
    const left = wanted.filter((field) => !isFixed(filter[field]));
    const isUsed = fixed > 0 || fixed === -1 || filter[fields[0] ?? ''] !== undefined || wanted.length > 0;
    return isUsed && left.every((field, index) => rest[index] === field);
  });
}

function isFixed(value: unknown): boolean {
  return value !== undefined && (value === null || typeof value !== 'object' || value instanceof Date);
}
