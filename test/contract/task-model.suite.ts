// The store against a model in a few lines: random sequences of everything that can happen to tasks, with the
// clock moving in between. After each step the store must show exactly what the model shows.
import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { Priority, Statistics, TaskOrder } from '#core/contract/index.ts';
import { compareInOrder } from '#core/contract/order.ts';
import { isSnoozed } from '#core/domain/snooze.ts';
import {
  acknowledgeTask,
  resolveTask,
  editTask,
  extendTask,
  isRestorable,
  isVisible,
  snoozeTask,
  suppressRepeat,
  newTask,
  pinTask,
  repeatTask,
  restoreTask,
  type Metadata,
  type Task,
  type TaskDraft,
} from '#core/domain/task.ts';
import type { TaskFilter, TaskRule, TaskStore } from '#core/ports/task-store.ts';
import { createFakeClock } from '#test/helpers/clock.ts';
import { newOwner, insertOf } from '#test/helpers/records.ts';
import { sweepOnce } from '#test/helpers/sweeps.ts';
import { submissionOf } from '#test/helpers/submissions.ts';
import type { StorageHarness } from './harness.ts';

const MINUTE = 60_000;
const priority = fc.constantFrom<Priority>('high', 'normal', 'low');
const draftFields = fc.record({
  priority,
  expiryMinutes: fc.constantFrom(1, 2, 30, 1440),
  dedupeKey: fc.constantFrom(null, null, 'a', 'b'),
  reopens: fc.boolean(),
  content: fc.constantFrom('disk full', 'disk full\nof db-3'),
  replaces: fc.boolean(),
  pinned: fc.constantFrom(false, false, true),
  tags: fc.constantFrom([], ['x'], ['x', 'y'], ['Y', 'x']),
  source: fc.constantFrom('api', 'slack', 'API'),
  metadata: fc.constantFrom<Metadata>(
    {},
    {},
    { host: 'full' },
    { from: 'Ada\nFull' },
    { body: 'a "b" \\', n: 1 },
  ),
  through: fc.option(fc.constantFrom('NAS', 'nas', 'Full')),
});
const pick = fc.nat({ max: 30 });
const step = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({
      kind: fc.constant('create' as const),
      drafts: fc.array(draftFields, { minLength: 1, maxLength: 3 }),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      kind: fc.constant('close' as const),
      keys: fc.constantFrom(['a'], ['b'], ['a', 'b']),
      drafts: fc.array(draftFields, { maxLength: 1 }),
      agoMs: fc.constantFrom(0, 0, 1, MINUTE),
    }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('edit' as const), pick, priority }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('pin' as const), pick, pinned: fc.boolean() }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('acknowledge' as const), pick }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('restore' as const), pick }) },
  {
    weight: 1,
    arbitrary: fc.record({
      kind: fc.constant('extend' as const),
      pick,
      minutes: fc.constantFrom(1, 60, 10_080),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      kind: fc.constant('snooze' as const),
      pick,
      // Null wakes it.
      ms: fc.constantFrom(null, 1, MINUTE, 10 * MINUTE, 1440 * MINUTE),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      kind: fc.constant('wait' as const),
      ms: fc.constantFrom(1, MINUTE - 1, MINUTE, 10 * MINUTE, 1440 * MINUTE),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({ kind: fc.constant('sweep' as const), limit: fc.constantFrom(1, 2, 500) }),
  },
);
/** Each intake has one name; two differ in case alone. */
function draftOf({ through, ...fields }: typeof draftFields extends fc.Arbitrary<infer F> ? F : never) {
  return insertOf(
    through === null
      ? fields
      : {
          ...fields,
          intake: { id: `int_${through}`, name: through, deliveryId: `dlv_${fields.content.length}` },
        },
  );
}

const filterFields = fc.record(
  {
    priority,
    pinned: fc.boolean(),
    snoozed: fc.constant(true as const),
    source: fc.constantFrom('api', 'slack'),
    tags: fc.constantFrom(['x'], ['y'], ['x', 'y']),
    intake: fc.constantFrom('int_NAS', 'nAs', 'int_nas '),
    text: fc.constantFrom('FULL', 'nas', 'l\nF', '"B', '\\', 'y', 'api'),
  },
  { requiredKeys: [] },
);
const order = fc.constantFrom<TaskOrder>('newest', 'priority', 'expiry', 'source', 'intake', 'tag');

function createModel() {
  const tasks = new Map<string, Task>();
  const byOrder = new Map<string, Task>();
  /** Which task had each dedupe key last. */
  const holders = new Map<string, string>();
  const visible = (now: number): Task[] =>
    [...tasks.values()]
      .filter((task) => isVisible(task, now))
      .toSorted((a, b) => Number(b.pinned) - Number(a.pinned) || (a.id < b.id ? 1 : -1));
  const holder = (dedupeKey: string | null): Task | undefined =>
    dedupeKey === null ? undefined : tasks.get(holders.get(dedupeKey) ?? '');
  return {
    visible,
    ids: () => [...byOrder.keys()],
    expired: (now: number) =>
      [...tasks.values()].filter((task) => task.acknowledgedAt === null && !isVisible(task, now)),
    restorable: (now: number) => [...tasks.values()].filter((task) => isRestorable(task, now)),
    create(id: string, owner: string, draft: TaskDraft, now: number): void {
      const same = holder(draft.dedupeKey);
      const repeated = same && (repeatTask(same, draft, now) ?? suppressRepeat(same, draft, now));
      const task = repeated ?? newTask(draft, id, owner, now);
      tasks.set(task.id, task);
      byOrder.set(id, task);
      if (task.dedupeKey !== null) holders.set(task.dedupeKey, task.id);
    },
    /** Answers the task if it was visible. */
    holder,
    close(dedupeKey: string, at: number): Task | null {
      const same = holder(dedupeKey);
      const closed = same && resolveTask(same, at);
      if (!closed) return null;
      tasks.set(closed.id, closed);
      return same.acknowledgedAt === null ? closed : null;
    },
    change(id: string, rule: TaskRule, now: number): void {
      const before = tasks.get(id);
      const after = before === undefined ? null : rule(before);
      if (after === null) return;
      const taken = visible(now).some(
        (other) => other.id !== id && other.dedupeKey !== null && other.dedupeKey === after.dedupeKey,
      );
      tasks.set(id, taken && after.acknowledgedAt === null ? { ...after, dedupeKey: null } : after);
      if (!taken && after.acknowledgedAt === null && after.dedupeKey !== null)
        holders.set(after.dedupeKey, id);
    },
  };
}

function recount(tasks: readonly Task[], snoozed: number): Statistics {
  const of = (name: Priority) => tasks.filter((task) => task.priority === name).length;
  return {
    total: tasks.length,
    high: of('high'),
    normal: of('normal'),
    low: of('low'),
    pinned: tasks.filter((task) => task.pinned).length,
    snoozed,
  };
}

function matches(task: Task, filter: TaskFilter): boolean {
  return (
    (filter.priority === undefined || task.priority === filter.priority) &&
    (filter.pinned === undefined || task.pinned === filter.pinned) &&
    (filter.source === undefined || task.source === filter.source) &&
    (filter.tags === undefined || filter.tags.every((tag) => task.tags.includes(tag))) &&
    (filter.intake === undefined ||
      task.intake?.id === filter.intake ||
      task.intake?.name.toLowerCase() === filter.intake.toLowerCase()) &&
    (filter.text === undefined || has(task, filter.text.toLowerCase()))
  );
}

function has({ content, tags, source, metadata, intake }: Task, text: string): boolean {
  const texts = [content, ...tags, source, metadata['body'], metadata['from'], intake?.name];
  return texts.some((one) => typeof one === 'string' && one.toLowerCase().includes(text));
}

const wakingOf = ({ id, snoozedUntil }: Task): string => `${id} ${snoozedUntil}`;

/** The first to wake first, then the newest. */
function compareWaking(a: Task, b: Task): number {
  return Number(a.snoozedUntil) - Number(b.snoozedUntil) || (a.id < b.id ? 1 : -1);
}

/** By the most frequent value, then by the value. */
function tally(values: readonly string[]): { value: string; count: number }[] {
  const counts = Map.groupBy(values, (value) => value);
  return [...counts]
    .map(([value, all]) => ({ value, count: all.length }))
    .toSorted((a, b) => b.count - a.count || (a.value < b.value ? -1 : 1));
}

/** The model-based part of the suite of task stores. */
export function describeTaskModel(harness: StorageHarness): void {
  it('shows what the model shows after any sequence of events, statistics by recount', async () => {
    const clock = createFakeClock();
    const under = await harness.create(clock);
    try {
      await fc.assert(
        fc.asyncProperty(
          fc.array(step, { maxLength: 30 }),
          filterFields,
          order,
          async (steps, filter, by) => {
            await runSequence(under.storage.tasks, clock, steps, filter, by);
          },
        ),
        { numRuns: 60 },
      );
    } finally {
      await under.dispose();
    }
  }, 600_000);
}

type Step = typeof step extends fc.Arbitrary<infer S> ? S : never;

async function runSequence(
  store: TaskStore,
  clock: ReturnType<typeof createFakeClock>,
  steps: readonly Step[],
  filter: TaskFilter,
  by: TaskOrder,
): Promise<void> {
  const owner = newOwner();
  const model = createModel();
  const told: string[] = [];
  /** Each waking that was told. */
  const wakings: string[] = [];
  const returned = new Set<string>();
  const revisions = new Map<string, string>();

  async function change(at: number, rule: TaskRule): Promise<void> {
    const ids = model.ids();
    const id = ids[at % Math.max(1, ids.length)];
    if (id === undefined) return;
    await store.change(owner, [id], rule);
    model.change(id, rule, clock.now());
  }
  async function sweep(limit: number): Promise<boolean> {
    const { expired, woken, more } = await sweepOnce(store, clock.now(), limit);
    for (const task of woken) if (task.ownerId === owner) wakings.push(wakingOf(task));
    told.push(...expired.filter((task) => task.ownerId === owner).map((task) => task.id));
    return more;
  }

  for (const event of steps) {
    const now = clock.now();
    switch (event.kind) {
      case 'create': {
        const inserts = event.drafts.map((fields) => draftOf(fields));
        await store.create(submissionOf({ ownerId: owner, inserts, at: now }));
        for (const { id, draft } of inserts) model.create(id, owner, draft, now);
        break;
      }
      case 'close': {
        // Late words close what was last reported before them; the inserts that came along are as old.
        const at = now - event.agoMs;
        // Of what was swept, words from before its end may find it or not: nobody sees a difference.
        const keys = event.keys.filter((key) => !told.includes(model.holder(key)?.id ?? ''));
        const inserts = event.drafts.map((fields) => draftOf(fields));
        const done = await store.create(submissionOf({ ownerId: owner, inserts, resolves: keys, at }));
        const closed = keys.map((key) => model.close(key, at)).filter((task) => task !== null);
        for (const { id, draft } of inserts) model.create(id, owner, draft, at);
        expect(done).toMatchObject({ kind: 'done', resolved: closed });
        break;
      }
      case 'edit':
        await change(event.pick, (task) => editTask(task, { priority: event.priority }, now));
        break;
      case 'pin':
        await change(event.pick, (task) => pinTask(task, event.pinned, now));
        break;
      case 'acknowledge':
        await change(event.pick, (task) => acknowledgeTask(task, now));
        break;
      case 'restore':
        await change(event.pick, (task) => {
          const restored = restoreTask(task, now);
          // Its return is told as that.
          if (restored !== null && !isSnoozed(restored, now)) returned.add(wakingOf(restored));
          return restored;
        });
        break;
      case 'extend':
        await change(event.pick, (task) => extendTask(task, event.minutes, now));
        break;
      case 'snooze': {
        const until = event.ms === null ? null : now + event.ms;
        await change(event.pick, (task) => snoozeTask(task, until, now));
        break;
      }
      case 'wait':
        clock.advance(event.ms);
        break;
      case 'sweep':
        await sweep(event.limit);
        break;
    }
    const at = clock.now();
    const live = model.visible(at);
    const snoozed = live.filter((task) => isSnoozed(task, at));
    const expected = live.filter((task) => !snoozed.includes(task));
    const statistics = recount(expected, snoozed.length);
    expect(await store.list({ ownerId: owner, filter: {}, limit: 1000, offset: 0, now: at })).toEqual({
      tasks: expected,
      total: expected.length,
      statistics,
    });
    const matching = (filter.snoozed === true ? snoozed : expected)
      .filter((task) => matches(task, filter))
      .toSorted((a, b) =>
        filter.snoozed === true && by === 'newest' ? compareWaking(a, b) : compareInOrder(a, b, by),
      );
    expect(await store.list({ ownerId: owner, filter, order: by, limit: 2, offset: 1, now: at })).toEqual({
      tasks: matching.slice(1, 3),
      total: matching.length,
      statistics,
    });
    const intakes = expected.flatMap(({ intake }) => intake ?? []);
    expect(await store.facets({ ownerId: owner, now: at })).toEqual({
      sources: tally(expected.map(({ source }) => source)),
      tags: tally(expected.flatMap(({ tags }) => tags)),
      intakes: tally(intakes.map(({ id }) => id)).map(({ value: id, count }) => ({
        id,
        name: id.slice('int_'.length),
        count,
      })),
    });
    const restorable = (await store.listRestorable(owner, at, 500)).map((task) => task.id);
    expect(restorable.toSorted()).toEqual(
      model
        .restorable(at)
        .map((task) => task.id)
        .toSorted(),
    );
    // One revision never stands for two different sights of the queue.
    const revision = await store.revision(owner, at);
    const sight = JSON.stringify([expected, snoozed.map(({ id }) => id)]);
    expect(revisions.get(revision) ?? sight).toBe(sight);
    revisions.set(revision, sight);
  }

  // No waking is told twice, and none is missing of the tasks that are awake now.
  while (await sweep(500));
  expect(new Set(wakings).size).toBe(wakings.length);
  const awake = model
    .visible(clock.now())
    .filter((task) => task.snoozedUntil !== null && !isSnoozed(task, clock.now()))
    .map(wakingOf);
  expect(wakings).toEqual(expect.arrayContaining(awake.filter((waking) => !returned.has(waking))));

  // Each task that ran out was told once: those that storage still has, and those it removed before.
  expect(told.toSorted()).toEqual(
    model
      .expired(clock.now())
      .map((task) => task.id)
      .toSorted(),
  );
}
