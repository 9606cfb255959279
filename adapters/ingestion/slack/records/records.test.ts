// Which tasks a message became is kept for all who add it, also at once from several processes.
import { expect, it } from 'vitest';
import type { AdapterKey, AdapterRecord } from '#core/domain/adapter-record.ts';
import type { AdapterStore } from '#core/ports/adapter-store.ts';
import { createFakeClock } from '#test/helpers/clock.ts';
import { createSlackRecords } from './records.ts';

const place = { teamId: 'T0ACME', channelId: 'C0OPS', ts: '1700000002.000200' };

/** One record, as the store keeps it. */
function storeOfOne(): AdapterStore {
  let stored: AdapterRecord | null = null;
  const live = (now: number) => ((stored?.expiresAt ?? Infinity) > now ? stored : null);
  return {
    get: (_key: AdapterKey, now: number) => Promise.resolve(live(now)),
    async put(record: AdapterRecord) {
      stored = record;
    },
    async add(record: AdapterRecord, now: number) {
      if (live(now) !== null) return false;
      stored = record;
      return true;
    },
    async replace(read: AdapterRecord, value: string, now: number, expiresAt: number) {
      if (live(now)?.value !== read.value) return false;
      stored = { ...read, value, expiresAt };
      return true;
    },
  } as unknown as AdapterStore;
}

function records() {
  const clock = createFakeClock();
  const encryption = { encrypt: (text: string) => text, decrypt: (text: string) => text };
  return { clock, records: createSlackRecords({ store: storeOfOne(), encryption, clock }, null) };
}

it('keeps the tasks of all who add a message at once', async () => {
  const { records: of } = records();
  for (const ids of [
    ['task_a', 'task_b', 'task_c'],
    ['task_d', 'task_e'],
  ])
    await Promise.all(ids.map((id) => of.becameTask('owner', place, id)));
  const stored = await of.tasksOf('owner', place);
  expect(stored.toSorted()).toEqual(['task_a', 'task_b', 'task_c', 'task_d', 'task_e']);
});

it('keeps the latest, for a week from then', async () => {
  const { clock, records: of } = records();
  await of.becameTask('owner', place, 'task_first');
  clock.advance(6 * 24 * 60 * 60_000);
  for (const id of ['task_1', 'task_2', 'task_3', 'task_4', 'task_5'])
    await of.becameTask('owner', place, id);
  clock.advance(6 * 24 * 60 * 60_000);
  expect(await of.tasksOf('owner', place)).toEqual(['task_5', 'task_4', 'task_3', 'task_2', 'task_1']);
});
