// Six sample tasks in memory, answering as slowly as a server would. Nothing leaves the page, nothing outlives it.
import type { CreateTask, EditTask, Priority, Task } from '#core/contract/index.ts';
import { UNDO_WINDOW_MS } from '#core/contract/limits.ts';
import { inOrder, matches } from '../model/page.ts';
import type { TaskBackend } from './backend.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const SHORTEST_DELAY_MS = 200;
const LONGEST_DELAY_MS = 500;

interface Sample {
  content: string;
  priority: Priority;
  source: string;
  tags: string[];
  age: number;
  pinned?: boolean;
  occurrences?: number;
}

// One for every source and stage.
const SAMPLES: Sample[] = [
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
  {
    content: 'Ask Mira about the pump drawings',
    priority: 'normal',
    source: 'web',
    tags: ['people'],
    age: 47 * MINUTE,
  },
  {
    content: 'Invoice 4711 could not be charged',
    priority: 'normal',
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
    priority: 'normal',
    source: 'integration',
    tags: ['nas'],
    age: 23 * HOUR + 18 * MINUTE,
  },
];

export interface DemoBackend extends TaskBackend {
  create(input: CreateTask): Promise<Task>;
  edit(id: string, changes: EditTask): Promise<Task>;
  pin(id: string, pinned: boolean): Promise<Task>;
  extend(id: string, minutes: number): Promise<Task>;
  /** Returns once they are gone; those that were gone already count as well. */
  acknowledge(ids: readonly string[]): Promise<void>;
  /** The tasks that are back; those whose ten minutes are over are not among them. */
  restore(ids: readonly string[]): Promise<readonly Task[]>;
  /** What to say when it fails. */
  texts: { fetch: string; create: string; update: string; delete: string; pin: string };
}

interface DemoOptions {
  now?: () => number;
  random?: () => number;
}

export function createDemoBackend({
  now = () => Date.now(),
  random = Math.random,
}: DemoOptions = {}): DemoBackend {
  let made = 0;
  const tasks = new Map<string, Task>();
  const acknowledged = new Map<string, { task: Task; at: number }>();

  function add(sample: Sample): Task {
    made += 1;
    const createdAt = now() - sample.age;
    const task: Task = {
      id: `task_demo${made}`,
      content: sample.content,
      priority: sample.priority,
      source: sample.source,
      tags: sample.tags,
      createdAt: iso(createdAt),
      updatedAt: iso(createdAt),
      expiresAt: iso(createdAt + DAY),
      lastOccurredAt: iso(createdAt),
      pinned: sample.pinned ?? false,
      metadata: {},
      version: 1,
      occurrences: sample.occurrences ?? 1,
    };
    tasks.set(task.id, task);
    return task;
  }
  for (const sample of SAMPLES) add(sample);

  const visible = () =>
    [...tasks.values()].filter((task) => task.pinned || Date.parse(task.expiresAt) > now()).toSorted(inOrder);

  function change(id: string, changes: Partial<Task>): Task {
    const task = tasks.get(id);
    if (task === undefined) throw new Error('Task not found');
    const changed = { ...task, ...changes, version: task.version + 1, updatedAt: iso(now()) };
    tasks.set(id, changed);
    return changed;
  }

  // Done at once and answered later, so that whatever is asked next knows of it.
  async function later<T>(work: () => T): Promise<T> {
    const answer = work();
    const delay = SHORTEST_DELAY_MS + random() * (LONGEST_DELAY_MS - SHORTEST_DELAY_MS);
    await new Promise((resolve) => setTimeout(resolve, delay));
    return answer;
  }

  return {
    list: (filter, limit) =>
      later(() => {
        const all = visible();
        const matching = all.filter((task) => matches(task, filter));
        const page = matching.slice(0, limit);
        const having = (priority: Priority) => all.filter((task) => task.priority === priority).length;
        return {
          tasks: page,
          pagination: { limit, offset: 0, total: matching.length, returned: page.length },
          statistics: {
            total: all.length,
            high: having('high'),
            normal: having('normal'),
            low: having('low'),
            pinned: all.filter((task) => task.pinned).length,
          },
        };
      }),
    create: (input: CreateTask) =>
      later(() =>
        add({
          content: input.content.trim(),
          priority: input.priority ?? 'normal',
          source: input.source ?? 'web',
          tags: input.tags ?? [],
          age: 0,
        }),
      ),
    edit: (id, changes) => later(() => change(id, changes)),
    pin: (id, pinned) => later(() => change(id, { pinned })),
    extend: (id, minutes) =>
      later(() => {
        const task = tasks.get(id);
        if (task === undefined) throw new Error('Task not found');
        return change(id, { expiresAt: iso(Date.parse(task.expiresAt) + minutes * MINUTE) });
      }),
    acknowledge: (ids) =>
      later(() => {
        for (const id of ids) {
          const task = tasks.get(id);
          if (task === undefined) continue;
          acknowledged.set(id, { task: { ...task, version: task.version + 1 }, at: now() });
          tasks.delete(id);
        }
      }),
    restore: (ids) =>
      later(() =>
        ids.flatMap((id) => {
          const held = acknowledged.get(id);
          if (held === undefined || held.at + UNDO_WINDOW_MS <= now()) return [];
          acknowledged.delete(id);
          tasks.set(id, held.task);
          return [change(id, {})];
        }),
      ),
    recentlyAcknowledged: () =>
      later(() =>
        [...acknowledged.values()]
          .filter(({ at }) => at + UNDO_WINDOW_MS > now())
          .toReversed()
          .map(({ task, at }) => ({
            task,
            acknowledgedAt: iso(at),
            restorableUntil: iso(at + UNDO_WINDOW_MS),
          })),
      ),
    texts: {
      fetch: 'Failed to fetch demo tasks',
      create: 'Failed to create demo task',
      update: 'Failed to update demo task',
      delete: 'Failed to delete demo task',
      pin: 'Failed to update demo pin status',
    },
  };
}

function iso(ms: number): string {
  return new Date(ms).toISOString();
}
