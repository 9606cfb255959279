// Bounds how much costly work runs at once. Keys are served in turn: one with much work delays only itself.

export interface ConcurrencyLimit {
  /** Runs the work when its key's turn comes; null, at once, when too much is waiting already. */
  run<T>(key: string, work: () => Promise<T>): Promise<T | null>;
}

interface Limits {
  concurrency: number;
  waitingPerKey: number;
  /** Over all keys. */
  waiting: number;
}

export function createConcurrencyLimit(limits: Limits): ConcurrencyLimit {
  /** In the order in which keys are served. */
  const queues = new Map<string, (() => void)[]>();
  let running = 0;
  let waiting = 0;

  function enqueue(key: string): Promise<void> | null {
    const queue = queues.get(key) ?? [];
    if (queue.length >= limits.waitingPerKey || waiting >= limits.waiting) return null;
    queues.set(key, queue);
    waiting++;
    return new Promise((resolve) => queue.push(resolve));
  }

  function startNext(): void {
    const [key, queue] = queues.entries().next().value ?? [];
    if (key === undefined || queue === undefined) return void running--;
    queues.delete(key);
    const start = queue.shift();
    if (queue.length > 0) queues.set(key, queue);
    waiting--;
    start?.();
  }

  return {
    async run(key, work) {
      if (running < limits.concurrency) running++;
      else {
        const turn = enqueue(key);
        if (turn === null) return null;
        await turn;
      }
      try {
        return await work();
      } finally {
        startNext();
      }
    },
  };
}
