// What this page knows beyond the last answer of the server: what the socket and its own calls told it since. Versions decide
// what is newer; nothing older than what is held is taken.
import type { LiveMessage, Task } from '#core/contract/index.ts';

export interface TaskChange {
  /** When it was learnt, as a mark of {@link QueueChanges.mark}. */
  at: number;
  version: number;
  /** The task as it is now, or null when it is gone. */
  task: Task | null;
  /** How it was counted before: null for not at all, undefined when unknown. */
  before: Task | null | undefined;
}

export type TaskChanges = ReadonlyMap<string, TaskChange>;

/** Many events that arrive together are drawn together. */
const BATCH_MS = 16;

export class QueueChanges {
  #mark = 0;
  #learnt = new Map<string, TaskChange>();
  #snapshot: TaskChanges = new Map();
  #timer: ReturnType<typeof setTimeout> | undefined;
  readonly #listeners = new Set<() => void>();

  getSnapshot = (): TaskChanges => this.#snapshot;

  subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  /** A point in time: a page that was asked for now knows all that was learnt before. */
  mark(): number {
    return this.#mark;
  }

  /** Takes in a message of the live socket. */
  applyMessage(message: LiveMessage): void {
    if (message.type === 'hello' || message.type === 'queue.reset') return;
    const { task, version } = message;
    if (message.type === 'task.acknowledged' || message.type === 'task.expired')
      this.#learn(task.id, { version, task: null, before: task });
    else this.#learn(task.id, { version, task, before: message.type === 'task.updated' ? undefined : null });
    this.#timer ??= setTimeout(() => this.flush(), BATCH_MS);
  }

  /** The server answered with this task. `before` as in {@link TaskChange}. */
  learnTask(task: Task, before: Task | null | undefined): void {
    this.#learn(task.id, { version: task.version, task, before });
    this.flush();
  }

  /** The server says that these are gone: acknowledged now, or already before. */
  learnGone(tasks: readonly Task[]): void {
    for (const task of tasks) this.#learn(task.id, { version: task.version + 1, task: null, before: task });
    this.flush();
  }

  /** What the server knew by then need not be remembered any more. */
  dropUntil(mark: number): void {
    for (const [id, learnt] of this.#learnt) if (learnt.at <= mark) this.#learnt.delete(id);
  }

  reset(): void {
    this.#learnt.clear();
    this.flush();
  }

  #learn(id: string, news: Omit<TaskChange, 'at'>): void {
    const held = this.#learnt.get(id);
    if (held !== undefined && held.version >= news.version) return;
    this.#mark += 1;
    this.#learnt.set(id, { ...news, before: held === undefined ? news.before : held.before, at: this.#mark });
  }

  /** Shows what was heard without waiting for more of it. */
  flush(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#snapshot = new Map(this.#learnt);
    for (const listener of [...this.#listeners]) listener();
  }
}
