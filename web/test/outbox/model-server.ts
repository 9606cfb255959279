// A server of a few tasks with the rules that make sending twice safe, and a network that fails in every way.
import type { Task } from '#core/contract/index.ts';
import { ApiError } from '../../src/lib/api/api-error.ts';
import type { Api } from '../../src/lib/api/calls.ts';
import { aTask } from '../tasks.ts';

const MINUTE_MS = 60_000;

interface Options {
  params?: { id: string };
  body?: Record<string, unknown>;
  idempotencyKey?: string;
  onlyWhile?: () => boolean;
}

/** `lost`: it is done, and its answer is lost. `held`: it waits for {@link ModelServer.release}. */
export type Network = 'up' | 'down' | 'lost' | 'busy' | 'held';

export class ModelServer {
  readonly tasks = new Map<string, Task>();
  readonly acknowledged = new Map<string, Task>();
  /** How often each call was really done, by method, path and task. */
  readonly effects: string[] = [];
  network: Network = 'up';
  /** The answer in place of the real one. */
  fault: ApiError | null = null;
  /** Every call that reached it. */
  readonly calls: string[] = [];
  #held: (() => void)[] = [];
  readonly #made = new Map<string, Task>();

  constructor(count: number) {
    for (let index = 0; index < count; index += 1) {
      const task = aTask({ id: `t${index}`, content: `task ${index}` });
      this.tasks.set(task.id, task);
    }
  }

  /** Releases what is held, or loses its answer. */
  release(network: Network): void {
    const held = this.#held;
    this.#held = [];
    const before = this.network;
    this.network = network === 'held' ? 'up' : network;
    for (const go of held) go();
    this.network = before;
  }

  /** `isDead`: the tab that asks is gone, and hears nothing any more. */
  apiFor(isDead: () => boolean): Api {
    const call = async (name: string, options: Options = {}): Promise<unknown> => {
      if (options.onlyWhile?.() === false) throw new ApiError('', 'ACCOUNT_CHANGED', 0);
      if (this.network === 'held') await new Promise<void>((resolve) => this.#held.push(resolve));
      const { network } = this;
      if (network === 'down') throw new ApiError('', 'NETWORK_ERROR', 0);
      if (network === 'busy') this.calls.push(`busy: ${name}`);
      if (network === 'busy') throw new ApiError('Busy.', 'SERVICE_UNAVAILABLE', 503, [], 2000);
      this.calls.push(`${name} ${options.params?.id ?? ''}`.trim());
      if (this.fault !== null) throw this.fault;
      const answer = this.#answer(name, options);
      if (isDead()) await new Promise(() => undefined);
      if (network === 'lost') throw new ApiError('', 'TIMEOUT', 0);
      return answer;
    };
    return call as Api;
  }

  #answer(name: string, { params, body = {}, idempotencyKey }: Options): object {
    if (name === 'POST /tasks') return { task: this.#create(body, idempotencyKey ?? '') };
    if (name === 'POST /tasks/acknowledge') {
      const ids = body['ids'] as string[];
      return { acknowledged: ids.filter((each) => this.#acknowledge(each)) };
    }
    if (name === 'POST /tasks/restore') {
      const ids = body['ids'] as string[];
      const tasks = ids.flatMap((each) => this.#restore(each) ?? []);
      const restored = tasks.map(({ id: each }) => each);
      return { tasks, restored, notFound: ids.filter((each) => !restored.includes(each)) };
    }
    const id = params?.id ?? '';
    if (name === 'POST /tasks/:id/restore') return { task: this.#restore(id) ?? gone() };
    const task = this.tasks.get(id) ?? gone();
    if (name === 'DELETE /tasks/:id') return { done: this.#acknowledge(id) };
    if (name === 'GET /tasks/:id') return { task };
    if (name !== 'POST /tasks/:id/extend') return { task: this.#change(name, task, body) };
    const end = Date.parse(body['from'] as string) + (body['minutes'] as number) * MINUTE_MS;
    const later = Math.max(end, Date.parse(task.expiresAt));
    return { task: this.#change(name, task, { expiresAt: new Date(later).toISOString() }) };
  }

  #create(body: Partial<Task>, key: string): Task {
    const task = this.#made.get(key) ?? aTask({ ...body, ageMs: 0 });
    if (!this.#made.has(key)) {
      this.tasks.set(task.id, task);
      this.effects.push(`POST /tasks ${task.content}`);
    }
    this.#made.set(key, task);
    return task;
  }

  #acknowledge(id: string): boolean {
    const task = this.tasks.get(id);
    if (task === undefined) return false;
    this.tasks.delete(id);
    this.acknowledged.set(id, task);
    this.effects.push(`acknowledge ${id}`);
    return true;
  }

  #restore(id: string): Task | undefined {
    const task = this.acknowledged.get(id);
    if (task === undefined) return undefined;
    this.acknowledged.delete(id);
    this.tasks.set(id, task);
    this.effects.push(`restore ${id}`);
    return task;
  }

  #change(name: string, task: Task, changes: Partial<Task>): Task {
    const changed = { ...task, ...changes };
    if (JSON.stringify(changed) === JSON.stringify(task)) return task;
    const next = { ...changed, version: task.version + 1 };
    this.tasks.set(task.id, next);
    this.effects.push(`${name} ${task.id}`);
    return next;
  }
}

function gone(): never {
  throw new ApiError('There is no such task.', 'NOT_FOUND', 404);
}
