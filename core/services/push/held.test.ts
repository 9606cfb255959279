// What is told of tasks that were held: what is so when it is told, with a sound where it is new, and until
// every push service has taken it, whichever process that takes.
import { describe, expect, it, onTestFinished } from 'vitest';
import { createLocalEventBus } from '#adapters/memory/event-bus.ts';
import { openSqliteStorage } from '#adapters/sqlite/storage.ts';
import type { PushRules } from '#core/contract/index.ts';
import { DEFAULT_RULES } from '#core/domain/push.ts';
import { PUSH_LEASE_MS, pushLane, raiseWorkId } from '#core/domain/push-work.ts';
import { acknowledgeTask, type TaskDraft } from '#core/domain/task.ts';
import type { PushOutcome } from '#core/ports/push-sender.ts';
import type { PushStore } from '#core/ports/push-store.ts';
import { createFakeClock } from '#test/helpers/clock.ts';
import { deviceOf, insertOf, userOf } from '#test/helpers/records.ts';
import { submissionOf } from '#test/helpers/submissions.ts';
import { createTempDir } from '#test/helpers/temp.ts';
import { waitFor } from '#test/program/wait.ts';
import { createPushDelivery } from './delivery.ts';
import { createPushRules } from './rules.ts';
import { createPushTargets } from './targets.ts';
import { createPush } from './push.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
/** The time of the clock at first. */
const EVENING = Date.UTC(2026, 10, 21, 21);
const NIGHT = { from: '22:00', to: '07:00', zone: 'UTC', days: [0, 1, 2, 3, 4, 5, 6], pass: [] };
const ALL: PushRules = { ...DEFAULT_RULES, priorities: ['high', 'normal'], quiet: NIGHT };

/** An owner with two devices, at nine in the evening; processes that push; and what the devices get. */
async function stage(rules: Partial<PushRules> = {}) {
  const clock = createFakeClock(EVENING);
  const storage = openSqliteStorage({ file: `${createTempDir()}/qinbox.db`, clock });
  onTestFinished(() => storage.close());
  const bus = createLocalEventBus();
  const { user } = await storage.accounts.ensureUser(userOf());
  const ownerId = user.id;
  const devices = [deviceOf(), deviceOf()];
  await storage.push.change(ownerId, (record) => ({ ...record, devices }));
  const choosing = createPushRules({ store: storage.push, bus, clock });
  await choosing.set(ownerId, { ...ALL, ...rules });
  const received: { device: number; title: string; isSilent: boolean }[] = [];
  /** The next answers of the push service, by the device; then it takes all. */
  const answers: PushOutcome[][] = [[], []];

  /** Ids of what is held. */
  const held = new Set<string>();
  const store: PushStore = {
    ...storage.push,
    async hold(pushes) {
      await storage.push.hold(pushes);
      for (const id of pushes.taskIds) held.add(id);
    },
    async removeHeld(owner, taskIds) {
      await storage.push.removeHeld(owner, taskIds);
      for (const id of taskIds) held.delete(id);
    },
  };
  const errors: unknown[] = [];
  const onError = (error: unknown) => void errors.push(error);

  function start() {
    const targets = createPushTargets({
      store,
      accounts: storage.accounts,
      mayUse: () => true,
      bus,
      clock,
      subscriptionOf: ({ id }) => ({ endpoint: `https://push.example.com/${id}`, p256dh: '', auth: '' }),
    });
    const delivery = createPushDelivery({
      sender: {
        send({ payload, subscription }) {
          const device = devices.findIndex(({ id }) => subscription.endpoint.endsWith(id));
          const { notification } = JSON.parse(payload) as {
            notification?: { title: string; silent?: boolean };
          };
          if (notification !== undefined)
            received.push({ device, title: notification.title, isSilent: notification.silent === true });
          return Promise.resolve(answers[device]?.shift() ?? { kind: 'sent' });
        },
      },
      identity: () => Promise.resolve({ keys: { publicKey: '', privateKey: '' }, subject: '' }),
      observer: { sent() {}, refused() {}, forgotten() {} },
      current: targets.device,
      forget: () => Promise.resolve(),
      used: () => Promise.resolve(),
      clock,
      onError,
    });
    const push = createPush({
      store,
      tasks: storage.tasks,
      work: storage.work,
      targets,
      delivery,
      clock,
      onError,
      actions: { tokenFor: () => '' },
      publicUrl: () => 'https://qinbox.example.com',
    });
    push.start();
    onTestFinished(async () => {
      expect(errors).toEqual([]);
      await push.close();
    });
    return { push, heard: push.hearing(createLocalEventBus(), 'sender') };
  }

  let process = start();
  return {
    clock,
    storage,
    ownerId,
    received,
    answers,
    rules: (fields: Partial<PushRules>) => choosing.set(ownerId, { ...ALL, ...fields }),
    /** What a device got: titles, with a mark where it makes no sound. */
    got: (device: number) =>
      received
        .filter((one) => one.device === device)
        .map(({ title, isSilent }) => (isSilent ? `${title} (silent)` : title)),
    held: (count: number) => waitFor(`${count} held tasks`, () => held.size === count),
    async add(content: string, fields: Partial<TaskDraft> = {}) {
      const insert = insertOf({ content, priority: 'normal', ...fields });
      const made = await storage.tasks.create(submissionOf({ ownerId, inserts: [insert], at: clock.now() }));
      if (made.kind !== 'done') throw new Error(made.kind);
      for (const { task, created } of made.outcomes)
        process.heard.publish({ kind: 'task', type: created ? 'task.created' : 'task.updated', task });
      return made.outcomes[0]?.task.id ?? '';
    },
    /** A person does, on a screen; other processes hear of it. */
    acknowledge: (ids: readonly string[]) =>
      storage.tasks.change(ownerId, ids, (task) => acknowledgeTask(task, clock.now())),
    /** Ends the process as a crash would, but for its timers, and starts another. */
    async another() {
      await process.push.close();
      process = start();
    },
  };
}

describe('what was held', () => {
  it('stays in the store while a push service asks to come later, and another process tells it', async () => {
    const on = await stage();
    on.clock.advance(2 * HOUR);
    await on.add('one');
    await on.add('two');
    await on.held(2);
    on.answers[1]?.push({ kind: 'later', retryAfterMs: 30 * MINUTE, reason: 'status 503' });
    on.clock.advance(8 * HOUR);
    await waitFor('the first attempts', () => on.received.length === 2);
    await on.another();
    on.clock.advance(31 * MINUTE);
    await waitFor('the second device', () => on.got(1).length === 2);
    expect(on.got(1)).toEqual(['2 new tasks', '2 new tasks']);
    await on.held(0);
  });

  it('is told at a later attempt as it is by then', async () => {
    const on = await stage();
    on.clock.advance(2 * HOUR);
    const ids = [await on.add('one'), await on.add('two'), await on.add('three')];
    await on.held(3);
    for (const answer of on.answers) answer.push({ kind: 'later', retryAfterMs: 1, reason: 'status 429' });
    on.clock.advance(8 * HOUR);
    await waitFor('the first attempts', () => on.received.length === 2);
    await on.acknowledge(ids.slice(0, 2));
    await waitFor('the second attempts', () => on.received.length === 4);
    expect([on.got(0), on.got(1)]).toEqual([
      ['3 new tasks', '1 new task'],
      ['3 new tasks', '1 new task'],
    ]);
    await on.held(0);
  });

  it('has more told with it, while a push service asks to come later', async () => {
    const on = await stage();
    on.clock.advance(2 * HOUR);
    await on.add('one');
    await on.held(1);
    on.answers[1]?.push({ kind: 'later', retryAfterMs: 30 * MINUTE, reason: 'status 503' });
    on.clock.advance(8 * HOUR);
    await waitFor('the first attempts', () => on.received.length === 2);
    const until = new Date(on.clock.now() + MINUTE).toISOString();
    await on.rules({ doNotDisturbUntil: until });
    await on.add('two');
    await on.held(2);
    on.clock.advance(2 * MINUTE);
    await waitFor('both devices', () => on.received.length === 4);
    expect([on.got(0), on.got(1)]).toEqual([
      ['1 new task', '2 new tasks'],
      ['1 new task', '2 new tasks'],
    ]);
    await on.held(0);
  });

  it('is left out where the rules do not let it through any more', async () => {
    const on = await stage();
    on.clock.advance(2 * HOUR);
    await on.add('not urgent');
    await on.add('urgent', { priority: 'high' });
    await on.held(2);
    await on.rules({ priorities: ['high'] });
    await on.held(1);
    on.clock.advance(8 * HOUR);
    await waitFor('the summary', () => on.received.length === 2);
    expect(on.got(0)).toEqual(['1 new task']);
  });

  it('for there being too much comes in a minute where it may pass quiet hours, and the others after', async () => {
    const on = await stage({ quiet: { ...NIGHT, pass: ['high'] } });
    on.clock.advance(2 * HOUR);
    await on.add('not urgent');
    for (let n = 1; n <= 22; n++) await on.add(`urgent ${n}`, { priority: 'high' });
    await on.held(3);
    on.clock.advance(MINUTE);
    await waitFor('the summary', () => on.got(0).length === 21);
    expect(on.got(0).at(-1)).toBe('2 new tasks');
    await on.held(1);
    on.clock.advance(8 * HOUR);
    await waitFor('the rest', () => on.got(0).length === 22);
    expect(on.got(0).at(-1)).toBe('1 new task');
    await on.held(0);
  });
});

describe('a push that is tried again', () => {
  it('makes no sound once quiet hours have begun', async () => {
    const on = await stage();
    const later: PushOutcome = { kind: 'later', retryAfterMs: 1, reason: 'status 503' };
    on.answers[0]?.push(later, later, later);
    await on.add('disk full');
    await waitFor('the first attempts', () => on.received.length === 2);
    on.clock.advance(2 * HOUR);
    await waitFor('another', () => on.got(0).includes('disk full (silent)'));
    expect(on.got(1)).toEqual(['disk full']);
  });
});

describe('a repeat', () => {
  it('of what devices show, in quiet hours, is shown after them without a sound, and as nothing new', async () => {
    const on = await stage();
    await on.add('disk full', { dedupeKey: 'disk' });
    await waitFor('the push', () => on.received.length === 2);
    on.clock.advance(2 * HOUR);
    await on.add('disk full', { dedupeKey: 'disk' });
    await on.held(1);
    on.clock.advance(8 * HOUR);
    await waitFor('the repeat', () => on.received.length === 4);
    expect(on.got(0)).toEqual(['disk full', 'disk full (silent)']);
    await on.held(0);
  });

  it('that makes a task one that is pushed is heard, and stored until it was sent', async () => {
    const on = await stage({ priorities: ['high'] });
    on.answers[1]?.push({ kind: 'later', retryAfterMs: 30 * MINUTE, reason: 'status 503' });
    const id = await on.add('disk full', { dedupeKey: 'disk' });
    await on.add('disk full', { dedupeKey: 'disk', priority: 'high' });
    await waitFor('the push', () => on.received.length === 2);
    expect(on.got(0)).toEqual(['disk full']);
    const stored = () => on.storage.work.get(on.ownerId, pushLane(on.ownerId), raiseWorkId({ id }));
    await waitFor(
      'more time for it',
      async () => ((await stored())?.dueAt ?? 0) > on.clock.now() + 30 * MINUTE,
    );
    expect(await stored()).toMatchObject({ status: 'waiting', createdAt: on.clock.now() });
    expect((await stored())?.dueAt).toBe(on.clock.now() + 30 * MINUTE + PUSH_LEASE_MS);
  });

  it('that lets a held task pass quiet hours is heard, and is not in the summary after them', async () => {
    const on = await stage({ quiet: { ...NIGHT, pass: ['high'] } });
    on.clock.advance(2 * HOUR);
    await on.add('disk full', { dedupeKey: 'disk' });
    await on.add('another');
    await on.held(2);
    await on.add('disk full', { dedupeKey: 'disk', priority: 'high' });
    await waitFor('the push', () => on.received.length === 2);
    on.clock.advance(8 * HOUR);
    await on.held(0);
    expect(on.got(0).toSorted()).toEqual(['1 new task', 'disk full', 'disk full (silent)']);
  });
});
