// What this page knows beyond the last answer of the server: what the socket and its own calls told it since, and what
// the person did that is not answered yet. Versions decide what is newer; nothing older than what is held is taken.
import type { LiveMessage, Task } from '#core/contract/index.ts';

export interface Learnt {
  /** When it was learnt, as a mark of {@link QueueChanges.mark}. */
  at: number;
  version: number;
  /** The task as it is now, or null when it is gone. */
  task: Task | null;
  /** How it was counted before: null for not at all, undefined when unknown. */
  before: Task | null | undefined;
}

/** Done here, not yet answered. */
export type Pending =
  | { kind: 'acknowledge'; id: string }
  | { kind: 'change'; id: string; change: Partial<Task> }
  | { kind: 'restore'; id: string; task: Task };

export interface Changes {
  learnt: ReadonlyMap<string, Learnt>;
  pending: readonly Pending[];
}

/** Many events that arrive together are drawn together. */
const BATCH_MS = 16;

export class QueueChanges {
  #mark = 0;
  #learnt = new Map<string, Learnt>();
  #pending: Pending[] = [];
  #snapshot: Changes = { learnt: new Map(), pending: [] };
  #timer: ReturnType<typeof setTimeout> | undefined;
  readonly #listeners = new Set<() => void>();

  getSnapshot = (): Changes => this.#snapshot;

  subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  /** A point in time: a page that was asked for now knows all that was learnt before. */
  mark(): number {
    return this.#mark;
  }

  /** Takes in a message of the live socket. */
  hear(message: LiveMessage): void {
    if (message.type === 'hello' || message.type === 'queue.reset') return;
    const { task, version } = message;
    if (message.type === 'task.acknowledged' || message.type === 'task.expired')
      this.#learn(task.id, { version, task: null, before: task });
    else this.#learn(task.id, { version, task, before: message.type === 'task.updated' ? undefined : null });
    this.#timer ??= setTimeout(() => this.#publish(), BATCH_MS);
  }

  /** The server answered with this task. `before` as in {@link Learnt}. */
  learnTask(task: Task, before: Task | null | undefined): void {
    this.#learn(task.id, { version: task.version, task, before });
    this.#publish();
  }

  /** The server says that these are gone: acknowledged now, or already before. */
  learnGone(tasks: readonly Task[]): void {
    for (const task of tasks) this.#learn(task.id, { version: task.version + 1, task: null, before: task });
    this.#publish();
  }

  begin(...operations: Pending[]): void {
    this.#pending = [...this.#pending, ...operations];
    this.#publish();
  }

  /** Answered or failed. Publish with what the answer said: call `learn…` right after it. */
  end(...operations: Pending[]): void {
    this.#pending = this.#pending.filter((pending) => !operations.includes(pending));
    this.#timer ??= setTimeout(() => this.#publish(), 0);
  }

  /** What the server knew by then need not be remembered any more. */
  forget(mark: number): void {
    for (const [id, learnt] of this.#learnt) if (learnt.at <= mark) this.#learnt.delete(id);
  }

  reset(): void {
    this.#learnt.clear();
    this.#pending = [];
    this.#publish();
  }

  #learn(id: string, news: Omit<Learnt, 'at'>): void {
    const held = this.#learnt.get(id);
    if (held !== undefined && held.version >= news.version) return;
    this.#mark += 1;
    this.#learnt.set(id, { ...news, before: held === undefined ? news.before : held.before, at: this.#mark });
  }

  #publish(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#snapshot = { learnt: new Map(this.#learnt), pending: this.#pending };
    for (const listener of [...this.#listeners]) listener();
  }
}
