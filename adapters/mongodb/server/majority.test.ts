// A primary that the other members do not follow any more, before it knows: what it writes now, another
// primary may take back. Nothing is answered from that.
import { MongoClient } from 'mongodb';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Storage } from '#core/ports/storage.ts';
import { createFakeClock } from '#test/helpers/clock.ts';
import { insertOf, newOwner } from '#test/helpers/records.ts';
import { submissionOf } from '#test/helpers/submissions.ts';
import { databaseUrl, startMongo } from '#test/services/mongodb.ts';
import { describeWith } from '#test/services/services.ts';
import { openMongoStorage } from '../storage.ts';

const found = await startMongo(() => {}, ['--setParameter', 'enableTestCommands=1']);

describeWith('a primary that is alone', 'missing' in found ? found : found.service, ({ url }) => {
  const clock = createFakeClock();
  const client = new MongoClient(url);
  let stores: [Storage, Storage];

  beforeAll(async () => {
    const open = () => openMongoStorage({ url: databaseUrl(url, 'qinbox'), clock });
    stores = [await open(), await open()];
  });
  afterAll(async () => {
    await Promise.all(stores.map((storage) => storage.close()));
    await client.close();
    if ('service' in found) await found.service.stop();
  });

  /** Whether a majority has what is written, as far as the server can tell. */
  const setFollowed = (isFollowed: boolean) =>
    client
      .db('admin')
      .command({ configureFailPoint: 'disableSnapshotting', mode: isFollowed ? 'off' : 'alwaysOn' });

  it('answers no further attempt of another process by what only it has', async () => {
    const [{ tasks }, other] = stores;
    const ownerId = newOwner();
    const insert = insertOf({ dedupeKey: 'disk' });
    const { id } = insert;
    await tasks.create(submissionOf({ ownerId, inserts: [insert], at: clock.now() }));

    clock.advance(1);
    const over = submissionOf({ ownerId, id: 'over', inserts: [], resolves: ['disk'], at: clock.now() });
    await setFollowed(false);
    for (const storage of stores)
      await expect(storage.tasks.create(over)).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
    expect(await tasks.get(ownerId, id, clock.now())).toMatchObject({ id });

    await setFollowed(true);
    expect(await other.tasks.create(over)).toMatchObject({ resolved: [{ id }] });
    expect(await tasks.get(ownerId, id, clock.now())).toBeNull();
  });
});
