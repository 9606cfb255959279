// Of the repeats of a task soon after another one, only the last is pushed, later.
import type { Task } from '#core/domain/task.ts';

/** A repeat is pushed so long after the one before at the earliest. */
const INTERVAL_MS = 5000;
const MAX_TASKS = 10_000;

export function createRepeats(push: (task: Task) => void) {
  /** Tasks of which a repeat was pushed just now, with the latest repeat since. */
  const recent = new Map<string, { timer: NodeJS.Timeout; latest: Task | null }>();

  function add(task: Task): void {
    const before = recent.get(task.id);
    if (before !== undefined) {
      before.latest = task;
      return;
    }
    if (recent.size >= MAX_TASKS) return;
    push(task);
    const timer = setTimeout(() => {
      const latest = recent.get(task.id)?.latest ?? null;
      recent.delete(task.id);
      if (latest !== null) add(latest);
    }, INTERVAL_MS).unref();
    recent.set(task.id, { timer, latest: null });
  }

  return {
    add,
    close(): void {
      for (const { timer } of recent.values()) clearTimeout(timer);
      recent.clear();
    },
  };
}
