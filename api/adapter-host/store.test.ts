// A record of an adapter is within the limit that the documents name.
import { expect, it, onTestFinished } from 'vitest';
import { openSqliteStorage } from '#adapters/sqlite/storage.ts';
import { MAX_RECORD_BYTES } from '#core/domain/adapter-record.ts';
import { createFakeClock } from '#test/helpers/clock.ts';
import { createTempDir } from '#test/helpers/temp.ts';
import { withinLimits } from './store.ts';

it('a record of 64 KiB is stored, a larger one refused with what is there unchanged', async () => {
  const clock = createFakeClock();
  const storage = openSqliteStorage({ file: `${createTempDir()}/qinbox.db`, clock });
  onTestFinished(() => storage.close());
  const store = withinLimits(storage.adapterData);
  const key = { adapter: 'status', kind: 'seen', key: 'incidents' };
  // Two bytes each in UTF-8.
  const largest = 'é'.repeat(MAX_RECORD_BYTES / 2);
  await store.put({ ...key, ownerId: null, value: largest, expiresAt: null });
  await expect(
    store.put({ ...key, ownerId: null, value: `${largest}!`, expiresAt: null }),
  ).rejects.toMatchObject({
    code: 'VALIDATION_ERROR',
    details: [{ field: 'value', message: expect.stringMatching(/^has 65537 bytes/) }],
  });
  const record = { ...key, ownerId: null, value: largest, expiresAt: null };
  await expect(store.replace(record, `${largest}!`, clock.now())).rejects.toMatchObject({
    code: 'VALIDATION_ERROR',
  });
  await expect(
    store.add({ ...record, key: 'others', value: `${largest}!` }, clock.now()),
  ).rejects.toMatchObject({ code: 'VALIDATION_ERROR' });
  expect((await store.get(key, clock.now()))?.value).toBe(largest);
});
