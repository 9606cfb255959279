// What the rules hold is due when the rules that are stored let it, also where they are replaced meanwhile.
import { expect, it, onTestFinished } from 'vitest';
import { createLocalEventBus } from '#adapters/memory/event-bus.ts';
import { openSqliteStorage } from '#adapters/sqlite/storage.ts';
import { DEFAULT_RULES, type HeldPushes } from '#core/domain/push.ts';
import { createFakeClock } from '#test/helpers/clock.ts';
import { deviceOf, insertOf, userOf } from '#test/helpers/records.ts';
import { submissionOf } from '#test/helpers/submissions.ts';
import { createTempDir } from '#test/helpers/temp.ts';
import { waitFor } from '#test/program/wait.ts';
import { createPushRules } from './rules.ts';
import { createPushTargets } from './targets.ts';
import { createPush } from './push.ts';

const HOUR_MS = 3_600_000;

it.each(['before', 'after'] as const)(
  'a task is due at once where "do not disturb" ends right %s the task is held by it',
  async (order) => {
    const clock = createFakeClock();
    const storage = openSqliteStorage({ file: `${createTempDir()}/qinbox.db`, clock });
    onTestFinished(() => storage.close());
    const bus = createLocalEventBus();
    const rules = createPushRules({ store: storage.push, bus, clock });
    const { user } = await storage.accounts.ensureUser(userOf());
    await storage.push.change(user.id, (record) => ({ ...record, devices: [deviceOf()] }));
    const until = new Date(clock.now() + HOUR_MS).toISOString();
    await rules.set(user.id, { ...DEFAULT_RULES, doNotDisturbUntil: until });

    const store = {
      ...storage.push,
      async hold(pushes: HeldPushes) {
        if (order === 'before') await rules.set(user.id, DEFAULT_RULES);
        await storage.push.hold(pushes);
        if (order === 'after') await rules.set(user.id, DEFAULT_RULES);
      },
    };
    const errors: unknown[] = [];
    const delivered: string[] = [];
    const push = createPush({
      store,
      tasks: storage.tasks,
      work: storage.work,
      targets: createPushTargets({
        store,
        accounts: storage.accounts,
        mayUse: () => true,
        subscriptionOf: ({ id }) => ({ endpoint: `https://push.example.com/${id}`, p256dh: '', auth: '' }),
        bus,
        clock,
      }),
      delivery: {
        deliver: ({ id }) => Promise.resolve(delivered.push(id) > 0),
        close: () => Promise.resolve(),
      },
      actions: { tokenFor: () => '' },
      clock,
      publicUrl: () => 'https://qinbox.example.com',
      onError: (error) => errors.push(error),
    });
    onTestFinished(() => push.close());

    const insert = insertOf({ priority: 'high' });
    await storage.tasks.create(submissionOf({ ownerId: user.id, inserts: [insert], at: clock.now() }));
    const task = await storage.tasks.get(user.id, insert.id, clock.now());
    if (task === null) throw new Error('the task was not stored');
    push.hearing(bus, 'sender').publish({ kind: 'task', type: 'task.created', task });

    const held = await waitFor('the task to be due', () => storage.push.takeDue(clock.now(), 20_000), 5000);
    expect(held).toMatchObject({ ownerId: user.id, taskIds: [insert.id] });
    expect({ errors, delivered }).toEqual({ errors: [], delivered: [] });
  },
);
