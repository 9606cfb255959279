// Stored pushes that come due: done again where they still say what is so, and ended where they do not.
import { describe, expect, it, onTestFinished } from 'vitest';
import { createLocalEventBus } from '#adapters/memory/event-bus.ts';
import { openSqliteStorage } from '#adapters/sqlite/storage.ts';
import { PUSH_LEASE_MS, PUSH_WORK, pushLane, type PushPayload } from '#core/domain/push-work.ts';
import { acknowledgeTask, snoozeTask, type Task } from '#core/domain/task.ts';
import { newWork } from '#core/domain/work.ts';
import { createFakeClock } from '#test/helpers/clock.ts';
import { deviceOf, insertOf, userOf } from '#test/helpers/records.ts';
import { submissionOf } from '#test/helpers/submissions.ts';
import { createTempDir } from '#test/helpers/temp.ts';
import { createPushResuming } from './resuming.ts';
import { createPushTargets } from './targets.ts';
import type { LaneWork } from '#core/services/work/runner.ts';

const ID = 'the push';
const HOUR = 3_600_000;

/** An owner with a device and a task. */
async function stage() {
  const clock = createFakeClock();
  const storage = openSqliteStorage({ file: `${createTempDir()}/qinbox.db`, clock });
  const { user } = await storage.accounts.ensureUser(userOf());
  const ownerId = user.id;
  const insert = insertOf({ priority: 'high' });
  await storage.tasks.create(submissionOf({ ownerId, inserts: [insert], at: clock.now() }));
  await storage.push.change(ownerId, (record) => ({ ...record, devices: [deviceOf()] }));
  const bus = createLocalEventBus();
  const targets = createPushTargets({
    store: storage.push,
    accounts: storage.accounts,
    mayUse: () => true,
    bus,
    clock,
    subscriptionOf: ({ id }) => ({ endpoint: `https://push.example.com/${id}`, p256dh: '', auth: '' }),
  });
  onTestFinished(async () => {
    targets.close();
    await storage.close();
  });
  const state = { isClosed: false, isUnderWay: false };
  const lane = pushLane(ownerId);
  const dueAt = async () => (await storage.work.get(ownerId, lane, ID))?.dueAt ?? null;
  const begun: { shows: boolean; version: number; dueAt: Promise<number | null> }[] = [];
  const handler = createPushResuming({
    tasks: storage.tasks,
    targets,
    work: storage.work,
    clock,
    tickets: { has: () => state.isUnderWay },
    begin: (task: Task, shows: boolean) => void begun.push({ shows, version: task.version, dueAt: dueAt() }),
    isClosed: () => state.isClosed,
  });
  const change = (rule: (task: Task) => Task | null) => storage.tasks.change(ownerId, [insert.id], rule);
  return {
    clock,
    state,
    change,
    begun,
    dueAt,
    acknowledge: () => change((task) => acknowledgeTask(task, clock.now())),
    snooze: (until: number) => change((task) => snoozeTask(task, until, clock.now())),
    withoutDevice: () => storage.push.change(ownerId, (record) => ({ ...record, devices: [] })),
    /** Does a push of the task that has come due. */
    async attempt({ shows = true, wakesAt = null }: Partial<PushPayload> = {}) {
      const payload = JSON.stringify({ taskId: insert.id, shows, wakesAt } satisfies PushPayload);
      const about = { id: ID, key: ID, kind: PUSH_WORK, ownerId, lane, sequence: 0, payload };
      const work = newWork(about, clock.now());
      await storage.work.add([work]);
      const held = { id: lane, kind: PUSH_WORK, ownerId, failures: 0 };
      const { outcome } = await ((await handler.begin(held)) as LaneWork).attempt(work, 0);
      return outcome;
    },
  };
}

describe('a stored push that has come due', () => {
  it('is shown anew where its task is live, due again only after the time that this takes', async () => {
    const { attempt, begun, clock } = await stage();
    expect(await attempt()).toBe('later');
    expect(begun).toMatchObject([{ shows: true, version: 1 }]);
    // It was put off before it began: it may be over at once.
    expect(await begun[0]?.dueAt).toBe(clock.now() + PUSH_LEASE_MS);
  });

  it('is closed where its task is over, also where the task is not listed any more', async () => {
    const { attempt, acknowledge, begun } = await stage();
    await acknowledge();
    expect(await attempt({ shows: false })).toBe('later');
    expect(begun).toMatchObject([{ shows: false, version: 2 }]);
  });

  it('is closed while its task sleeps', async () => {
    const { attempt, snooze, begun, clock } = await stage();
    await snooze(clock.now() + HOUR);
    expect(await attempt({ shows: false })).toBe('later');
    expect(begun).toMatchObject([{ shows: false }]);
  });

  it('is shown when its task has woken at that time, and at no other', async () => {
    const { attempt, snooze, begun, clock } = await stage();
    const wakesAt = clock.now() + HOUR;
    await snooze(wakesAt);
    clock.advance(HOUR);
    expect(await attempt({ wakesAt: wakesAt - 1 })).toBe('done');
    expect(begun).toEqual([]);
    expect(await attempt({ wakesAt })).toBe('later');
    expect(begun).toMatchObject([{ shows: true }]);
  });

  it('is ended where it would say what is not so any more', async () => {
    const { attempt, acknowledge, begun } = await stage();
    expect(await attempt({ shows: false })).toBe('done');
    await acknowledge();
    expect(await attempt({ shows: true })).toBe('done');
    expect(begun).toEqual([]);
  });

  it('is ended where its owner has no device any more', async () => {
    const { attempt, withoutDevice, begun } = await stage();
    await withoutDevice();
    expect(await attempt()).toBe('done');
    expect(begun).toEqual([]);
  });

  it('is begun once: while this process is at it, it is only put off', async () => {
    const { attempt, state, begun, dueAt, clock } = await stage();
    state.isUnderWay = true;
    expect(await attempt()).toBe('later');
    expect(begun).toEqual([]);
    expect(await dueAt()).toBe(clock.now() + PUSH_LEASE_MS);
  });

  it('is left as it is by a process that ends', async () => {
    const { attempt, state, begun, dueAt, clock } = await stage();
    state.isClosed = true;
    expect(await attempt()).toBe('hold');
    expect(begun).toEqual([]);
    expect(await dueAt()).toBe(clock.now());
  });
});
