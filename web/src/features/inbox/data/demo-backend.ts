// Six sample tasks in memory, with the delays of a server. Nothing leaves the page, nothing outlives it.
import type { ChangeTask, CreateTask, EditTask, Priority, Task } from '#core/contract/index.ts';
import { DEFAULT_EXPIRY_MINUTES, UNDO_WINDOW_MS } from '#core/contract/limits.ts';
import { isAsleep } from '../../../lib/time.ts';
import { compareIn } from '../model/order.ts';
import { matches, statisticsOf, type FetchedPage, type Filter } from '../model/page.ts';
import type { Restorable, TaskReader } from './task-reader.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const SHORTEST_DELAY_MS = 200;
const LONGEST_DELAY_MS = 500;

interface Sample {
  content: string;
  /** Normal, when it is left out. */
  priority?: Priority;
  source: string;
  tags: string[];
  age: number;
  pinned?: boolean;
  occurrences?: number;
  /** A day, when it is left out. */
  lifetime?: number;
}

// One for every source and stage.
const SAMPLES: readonly Sample[] = [
  {
    content: 'Rotate the staging certificate before Friday',
    priority: 'high',
    source: 'slack',
    tags: ['ops'],
    age: 20 * HOUR,
    pinned: true,
  },
  {
    content: 'CI failed on main: 2 of 418 tests\nhttps://ci.example.com/runs/8812',
    priority: 'high',
    source: 'webhook',
    tags: ['ci'],
    age: 12 * MINUTE,
    occurrences: 3,
  },
  { content: 'Ask Mira about the pump drawings', source: 'web', tags: ['people'], age: 47 * MINUTE },
  {
    content: 'Invoice 4711 could not be charged',
    source: 'api',
    tags: ['billing', 'customers'],
    age: 6 * HOUR,
  },
  {
    content: 'Newsletter draft is waiting for a second pair of eyes',
    priority: 'low',
    source: 'email',
    tags: ['review'],
    age: 15 * HOUR,
  },
  {
    content: 'Disk on nas-2 is 91% full',
    source: 'integration',
    tags: ['nas'],
    age: 23 * HOUR + 18 * MINUTE,
  },
];

export type DemoBackend = ReturnType<typeof createDemoBackend>;

export function createDemoBackend({ now = () => Date.now(), random = Math.random } = {}) {
  const queue = new DemoQueue(now);

  // Done at once and answered later, so that the next call sees it.
  async function later<T>(work: () => T): Promise<T> {
    const answer = work();
    const delay = SHORTEST_DELAY_MS + random() * (LONGEST_DELAY_MS - SHORTEST_DELAY_MS);
    await new Promise((resolve) => setTimeout(resolve, delay));
    return answer;
  }

  const reads: TaskReader = {
    list: (filter, limit) => later(() => pageOf(queue.visible(), filter, limit, now())),
    recentlyAcknowledged: () => later(() => queue.restorable()),
  };
  return {
    ...reads,
    create: ({
      content,
      priority = 'normal',
      source = 'web',
      tags = [],
      pinned = false,
      expiryMinutes = DEFAULT_EXPIRY_MINUTES,
    }: CreateTask) =>
      later(() =>
        queue.add({
          content: content.trim(),
          priority,
          source,
          tags,
          pinned,
          age: 0,
          lifetime: expiryMinutes * MINUTE,
        }),
      ),
    edit: (id: string, changes: EditTask) => later(() => queue.change(id, () => changes)),
    pin: (id: string, pinned: boolean) => later(() => queue.change(id, () => ({ pinned }))),
    changeMany: (changes: readonly ChangeTask[]) =>
      later(() =>
        changes.map(({ id, ...fields }) =>
          queue.change(id, (task) => ({ ...timesOf(task, fields.snoozedUntil, now()), ...fields })),
        ),
      ),
    extend: (id: string, minutes: number) =>
      later(() =>
        queue.change(id, ({ expiresAt }) => ({ expiresAt: iso(Date.parse(expiresAt) + minutes * MINUTE) })),
      ),
    /** Ids of tasks that are gone already are ignored. */
    acknowledge: (ids: readonly string[]) => later(() => queue.acknowledge(ids)),
    /** Returns the restored tasks; not those whose ten minutes are over. */
    restore: (ids: readonly string[]) => later(() => queue.restore(ids)),
    /** For failures. */
    texts: {
      fetch: 'Failed to fetch demo tasks',
      create: 'Failed to create demo task',
      update: 'Failed to update demo task',
      delete: 'Failed to delete demo task',
      pin: 'Failed to update demo pin status',
    },
  };
}

/** The tasks of the demo and the acknowledged ones. */
class DemoQueue {
  readonly #now: () => number;
  readonly #tasks = new Map<string, Task>();
  readonly #acknowledged = new Map<string, { task: Task; at: number }>();
  #created = 0;

  constructor(now: () => number) {
    this.#now = now;
    for (const sample of SAMPLES) this.add(sample);
  }

  add(sample: Sample): Task {
    const { content, priority = 'normal', source, tags, age, pinned = false, occurrences = 1 } = sample;
    this.#created += 1;
    const created = this.#now() - age;
    const createdAt = iso(created);
    const task: Task = {
      id: `task_demo${this.#created}`,
      content,
      priority,
      source,
      tags,
      createdAt,
      updatedAt: createdAt,
      lastOccurredAt: createdAt,
      expiresAt: iso(created + (sample.lifetime ?? DAY)),
      snoozedUntil: null,
      pinned,
      metadata: {},
      version: 1,
      occurrences,
    };
    this.#tasks.set(task.id, task);
    return task;
  }

  visible(): Task[] {
    return [...this.#tasks.values()].filter(
      (task) => task.pinned || Date.parse(task.expiresAt) > this.#now(),
    );
  }

  change(id: string, changesOf: (task: Task) => Partial<Task>): Task {
    const task = this.#tasks.get(id);
    if (task === undefined) throw new Error('Task not found');
    const updatedAt = iso(this.#now());
    const changed = { ...task, ...changesOf(task), version: task.version + 1, updatedAt };
    this.#tasks.set(id, changed);
    return changed;
  }

  acknowledge(ids: readonly string[]): void {
    for (const id of ids) {
      const task = this.#tasks.get(id);
      if (task === undefined) continue;
      this.#acknowledged.set(id, { task: { ...task, version: task.version + 1 }, at: this.#now() });
      this.#tasks.delete(id);
    }
  }

  restore(ids: readonly string[]): readonly Task[] {
    return ids.flatMap((id) => {
      const entry = this.#acknowledged.get(id);
      if (entry === undefined || entry.at + UNDO_WINDOW_MS <= this.#now()) return [];
      this.#acknowledged.delete(id);
      this.#tasks.set(id, entry.task);
      return [this.change(id, () => ({}))];
    });
  }

  restorable(): Restorable[] {
    return [...this.#acknowledged.values()]
      .filter(({ at }) => at + UNDO_WINDOW_MS > this.#now())
      .toReversed()
      .map(({ task, at }) => ({ task, acknowledgedAt: iso(at), restorableUntil: iso(at + UNDO_WINDOW_MS) }));
  }
}

/** A snoozed task has its time after its sleep. */
function timesOf({ expiresAt }: Task, until: string | null | undefined, now: number): Partial<Task> {
  if (typeof until !== 'string') return {};
  const waking = Date.parse(until);
  return { expiresAt: iso(waking + Math.max(HOUR, Date.parse(expiresAt) - now)) };
}

function pageOf(all: readonly Task[], filter: Filter, limit: number, now: number): FetchedPage {
  const asleep = all.filter((task) => isAsleep(task, now));
  const awake = all.filter((task) => !asleep.includes(task));
  const matching = (filter.snoozed ? asleep : awake)
    .filter((task) => matches(task, filter))
    .toSorted(compareIn(filter.order, filter.snoozed));
  const tasks = matching.slice(0, limit);
  return {
    tasks,
    pagination: { limit, offset: 0, total: matching.length, returned: tasks.length },
    statistics: { ...statisticsOf(awake), snoozed: asleep.length },
  };
}

function iso(ms: number): string {
  return new Date(ms).toISOString();
}
