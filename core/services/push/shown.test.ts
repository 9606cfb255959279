// The number on the app's icon is of the time when a message is sent, not of when it began to wait.
import { expect, it, onTestFinished } from 'vitest';
import { openSqliteStorage } from '#adapters/sqlite/storage.ts';
import { DEFAULT_RULES } from '#core/domain/push.ts';
import { acknowledgeTask } from '#core/domain/task.ts';
import { createFakeClock } from '#test/helpers/clock.ts';
import { insertOf, newOwner } from '#test/helpers/records.ts';
import { submissionOf } from '#test/helpers/submissions.ts';
import { createTempDir } from '#test/helpers/temp.ts';
import { waitFor } from '#test/program/wait.ts';
import type { MakeMessage } from './delivery.ts';
import { createShownTasks } from './shown.ts';

interface Sent {
  kind?: 'close';
  ids?: string[];
  app_badge: number;
}

/** Two tasks of an owner with one device, which gets a message when `sendNext` is called, in order. */
async function stage({ withhold = false } = {}) {
  const clock = createFakeClock();
  const storage = openSqliteStorage({ file: `${createTempDir()}/qinbox.db`, clock });
  onTestFinished(() => storage.close());
  const ownerId = newOwner();
  const inserts = [insertOf({ priority: 'high' }), insertOf({ priority: 'high' })];
  await storage.tasks.create(submissionOf({ ownerId, inserts, at: clock.now() }));
  const ids = inserts.map(({ id }) => id);

  const waiting: { make: MakeMessage; ended: (isSent: boolean) => void }[] = [];
  const shown = createShownTasks({
    store: storage.push,
    tasks: storage.tasks,
    delivery: {
      deliver: (_device, make) => new Promise((ended) => waiting.push({ make, ended })),
      close: () => Promise.resolve(),
    },
    actions: { tokenFor: () => '' },
    clock,
    publicUrl: () => 'https://qinbox.example.com',
    onError: (error) => {
      throw error;
    },
  });
  const subscription = { endpoint: 'https://push.example.com/1', p256dh: '', auth: '' };
  const device = { id: 'push_1', ownerId, lastUsedAt: null, subscription };
  const target = { rules: { ...DEFAULT_RULES, withhold }, devices: [device] };

  return {
    ids,
    /** Begins to show a task. */
    show: async (id: string): Promise<void> => {
      const task = await storage.tasks.get(ownerId, id, clock.now());
      if (task === null) throw new Error('the task was not stored');
      void Promise.all(await shown.show(task, target, []));
    },
    close: () => shown.close(ownerId, target, { ids, unsure: new Set(), tickets: [] }),
    acknowledge: (some: readonly string[]) =>
      storage.tasks.change(ownerId, some, (task) => acknowledgeTask(task, clock.now())),
    /** What the device gets; `meanwhile` happens before the push service answers. */
    async sendNext(meanwhile: () => Promise<unknown> = () => Promise.resolve()): Promise<Sent | null> {
      const next = waiting.shift();
      if (next === undefined) throw new Error('nothing waits to be sent');
      const message = await next.make();
      await meanwhile();
      next.ended(message !== null);
      return message === null ? null : (JSON.parse(message.payload) as Sent);
    },
    waits: () => waiting.length,
  };
}

it.each([true, false])(
  'a push that waited says how many are left (contents withheld: %s)',
  async (withhold) => {
    const { ids, show, acknowledge, sendNext } = await stage({ withhold });
    const [first = '', second = ''] = ids;
    await show(first);
    await acknowledge([second]);
    expect((await sendNext())?.app_badge).toBe(1);
  },
);

it('what closes a notification says how many are left when it is sent', async () => {
  const { ids, show, close, acknowledge, sendNext } = await stage();
  const [first = '', second = ''] = ids;
  await show(first);
  await sendNext();
  await acknowledge([first]);
  await close();
  await acknowledge([second]);
  expect(await sendNext()).toEqual({ kind: 'close', ids: [first], app_badge: 0 });
});

it.each([true, false])(
  'a task that ends while its push is on its way is closed with how many are left (contents withheld: %s)',
  async (withhold) => {
    const { ids, show, acknowledge, sendNext, waits } = await stage({ withhold });
    const [first = ''] = ids;
    await show(first);
    expect((await sendNext(() => acknowledge(ids)))?.app_badge).toBe(2);
    await waitFor('what closes it', () => waits() === 1);
    expect(await sendNext()).toMatchObject({ kind: 'close', ids: [first], app_badge: 0 });
  },
);
