// A fresh store for each test of tasks, with one owner and the operations that most tests need.
import { afterEach, beforeEach } from 'vitest';
import { acknowledgeTask, pinTask, restoreTask, type Task, type TaskDraft } from '#core/domain/task.ts';
import type { TaskOrder } from '#core/contract/index.ts';
import type { TaskFilter, TaskRule, TaskStore } from '#core/ports/task-store.ts';
import type { TaskOutcome } from '#core/domain/submission-outcome.ts';
import type { Claim } from '#core/domain/submission.ts';
import { createFakeClock, type FakeClock } from '#test/helpers/clock.ts';
import { newOwner, insertOf } from '#test/helpers/records.ts';
import { sweepOnce } from '#test/helpers/sweeps.ts';
import { submissionOf } from '#test/helpers/submissions.ts';
import type { StorageHarness, StorageUnderTest } from './harness.ts';

export const MINUTE = 60_000;
export const HOUR = 60 * MINUTE;
export const DAY = 24 * HOUR;

/** Of the test that runs. */
export interface Current {
  clock: FakeClock;
  under: StorageUnderTest;
  store: TaskStore;
  owner: string;
}

export function useTasks(harness: StorageHarness) {
  let clock: FakeClock;
  let under: StorageUnderTest;
  let store: TaskStore;
  let owner: string;

  beforeEach(async () => {
    clock = createFakeClock();
    under = await harness.create(clock);
    store = under.storage.tasks;
    owner = newOwner();
  });
  afterEach(() => under.dispose());

  async function submit(inserts: ReturnType<typeof insertOf>[], claim?: Claim): Promise<TaskOutcome[]> {
    const done = await store.create(
      submissionOf({
        ownerId: owner,
        inserts,
        at: clock.now(),
        ...(claim === undefined ? {} : { claim }),
      }),
    );
    if (done.kind !== 'done' && done.kind !== 'replayed') throw new Error(`unexpected ${done.kind}`);
    if (done.outcomes === null) throw new Error('only ids were kept');
    return done.outcomes;
  }
  async function add(fields: Partial<TaskDraft> & { id?: string } = {}): Promise<Task> {
    const [outcome] = await submit([insertOf(fields)]);
    return (outcome as TaskOutcome).task;
  }
  const apply = async (id: string, rule: TaskRule): Promise<Task | undefined> =>
    (await store.change(owner, [id], rule))[0]?.after;
  const acknowledge = (id: string) => apply(id, (task) => acknowledgeTask(task, clock.now()));
  const restore = (id: string) => apply(id, (task) => restoreTask(task, clock.now()));
  const pin = (id: string, pinned = true) => apply(id, (task) => pinTask(task, pinned, clock.now()));
  const get = (id: string) => store.get(owner, id, clock.now());
  const list = (filter: TaskFilter = {}, limit = 100, offset = 0, order?: TaskOrder) =>
    store.list({ ownerId: owner, filter, order, limit, offset, now: clock.now() });
  const idsOf = async (filter: TaskFilter = {}, limit = 100, offset = 0, order?: TaskOrder) =>
    (await list(filter, limit, offset, order)).tasks.map((task) => task.id);
  const statistics = () => store.statistics(owner, clock.now());
  const revision = () => store.revision(owner, clock.now());
  const sweepAll = async (limit = 500): Promise<Task[]> => {
    const expired: Task[] = [];
    for (let more = true; more;) {
      const swept = await sweepOnce(store, clock.now(), limit);
      expired.push(...swept.expired);
      more = swept.more;
    }
    return expired;
  };

  return {
    current: (): Current => ({ clock, under, store, owner }),
    submit,
    add,
    apply,
    acknowledge,
    restore,
    pin,
    get,
    list,
    idsOf,
    statistics,
    revision,
    sweepAll,
  };
}
