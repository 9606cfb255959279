// Changes to tasks since the last fetched page, from the live socket and from answered calls. For each task
// the highest version wins, in whatever order they arrive.
import type { LiveMessage, Task } from '#core/contract/index.ts';
import { createEmitter } from '../../../lib/emitter.ts';
import { tasksOf, type Operation } from '../../../lib/outbox/entry.ts';
import { compareIn } from './order.ts';
import { matches, type Filter, type Page } from './page.ts';

export type TaskMessage = Extract<LiveMessage, { task: Task }>;

export interface TaskChange {
  /** When it was applied, as a {@link QueueChanges.mark}. */
  at: number;
  version: number;
  /** The task as it is now, or null when it is gone. */
  task: Task | null;
  /** The task as it was counted before: null for not at all, undefined when unknown. */
  before: Task | null | undefined;
}

export type TaskChanges = ReadonlyMap<string, TaskChange>;

/** Messages that arrive together are drawn together. */
const BATCH_MS = 16;
/** After so many changes a fetched page is better than a sum of changes. */
const MAX_CHANGES = 500;
/** Of so many tasks the last change is known, also when a fetched page contains it. */
const MAX_LATEST = 2000;

export class QueueChanges {
  #mark = 0;
  #changes = new Map<string, TaskChange>();
  #snapshot: TaskChanges = new Map();
  /** The one that changed last is last. */
  readonly #latest = new Map<string, Pick<TaskChange, 'version' | 'task'>>();
  #timer: ReturnType<typeof setTimeout> | undefined;
  readonly #updated = createEmitter();

  getSnapshot = (): TaskChanges => this.#snapshot;
  subscribe = this.#updated.subscribe;

  /** The task as the last change made it, if that is newer than this; null when the task is gone. */
  newest(task: Task): Task | null {
    const latest = this.#latest.get(task.id);
    return latest === undefined || latest.version < task.version ? task : latest.task;
  }

  /** A point in time: a page that is requested now contains all changes up to it. */
  mark(): number {
    return this.#mark;
  }

  /** Applies a live message. Returns whether `page` with all changes is exact; if not, it must be fetched. */
  applyMessage({ type, task, version }: TaskMessage, page?: Page, filter?: Filter): boolean {
    const shown = page?.tasks.find(({ id }) => id === task.id);
    const known = this.#changes.get(task.id);
    const isGone = type === 'task.acknowledged' || type === 'task.expired';
    const before = isGone ? task : type === 'task.updated' ? undefined : null;
    this.#apply(task.id, { version, task: isGone ? null : task, before });
    this.#timer ??= setTimeout(() => this.flush(), BATCH_MS);
    if (page === undefined || filter === undefined) return true;
    const knownVersion = Math.max(known?.version ?? 0, shown?.version ?? 0);
    if (version > knownVersion + 1 && (knownVersion > 0 || type === 'task.updated')) return false;
    if (this.#changes.size > MAX_CHANGES) return false;
    // Whether it was counted among the snoozed is not known.
    if (type === 'task.restored' && page.statistics.snoozed > 0) return false;
    const isComplete = page.tasks.length >= page.pagination.total;
    // A row that leaves an incomplete page, or moves in it, makes room for one that is not known here.
    return (
      isComplete ||
      shown === undefined ||
      (!isGone &&
        task.snoozedUntil === shown.snoozedUntil &&
        matches(task, filter) &&
        compareIn(filter.order, filter.snoozed)(task, shown) === 0)
    );
  }

  /** Applies the server's answer to an operation. `page`: the last fetched one. */
  applyAnswer(operation: Operation, answered: readonly Task[], page?: Page): void {
    if (operation.kind === 'acknowledge') {
      // A version that was fetched after the acknowledgement was made here is gone as well.
      const fetched = new Map(page?.tasks.map((task) => [task.id, task.version]));
      for (const task of operation.tasks) {
        const version = Math.max(task.version, fetched.get(task.id) ?? 0) + 1;
        this.#apply(task.id, { version, task: null, before: task });
      }
    } else {
      const isNew = operation.kind === 'create' || operation.kind === 'restore';
      const before = new Map(tasksOf(operation).map((task) => [task.id, task]));
      for (const task of answered)
        this.#apply(task.id, { version: task.version, task, before: isNew ? null : before.get(task.id) });
    }
    this.flush();
  }

  /** Drops the changes that a page requested at this mark contains. */
  dropUntil(mark: number): void {
    for (const [id, { at }] of this.#changes) if (at <= mark) this.#changes.delete(id);
  }

  reset(): void {
    this.#changes.clear();
    this.#latest.clear();
    this.flush();
  }

  /** Publishes what was applied without waiting for more. */
  flush(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#snapshot = new Map(this.#changes);
    this.#updated.emit();
  }

  #apply(id: string, change: Omit<TaskChange, 'at'>): void {
    this.#keepLatest(id, change);
    const known = this.#changes.get(id);
    if (known !== undefined && known.version >= change.version) return;
    this.#mark += 1;
    const before = known === undefined ? change.before : known.before;
    this.#changes.set(id, { ...change, before, at: this.#mark });
  }

  #keepLatest(id: string, { version, task }: Omit<TaskChange, 'at'>): void {
    if ((this.#latest.get(id)?.version ?? 0) >= version) return;
    this.#latest.delete(id);
    this.#latest.set(id, { version, task });
    const [oldest] = this.#latest.keys();
    if (this.#latest.size > MAX_LATEST && oldest !== undefined) this.#latest.delete(oldest);
  }
}
