// Keeps tasks that were read lately as the very objects they were, so that an unchanged queue is not read, parsed and
// written out again and again. A version of a task never changes, so nothing here can be out of date.
import type { Task } from '#core/domain/task.ts';

/** About how many bytes are kept. */
const MAX_BYTES = 8 * 1024 * 1024;
/** What a task weighs beside its content and metadata. */
const BASE_BYTES = 600;

interface Kept {
  task: Task;
  characters: number;
}

export interface TaskCache {
  /** The task in exactly this version, if it is kept. */
  get(id: string, version: number): Task | undefined;
  /** Keeps the task, whose texts have so many characters, perhaps in place of the ones read longest ago; answers it. */
  keep(task: Task, characters: number): Task;
}

export function createTaskCache(maxBytes = MAX_BYTES): TaskCache {
  // Two generations: what is still asked for moves to the young one before the old one is dropped.
  let young = new Map<string, Kept>();
  let old = new Map<string, Kept>();
  let bytes = 0;

  function keep(task: Task, characters: number): Task {
    young.set(task.id, { task, characters });
    bytes += BASE_BYTES + 2 * characters;
    if (bytes > maxBytes / 2) {
      old = young;
      young = new Map();
      bytes = 0;
    }
    return task;
  }

  return {
    get(id, version) {
      const task = young.get(id)?.task;
      if (task !== undefined) return task.version === version ? task : undefined;
      const older = old.get(id);
      return older?.task.version === version ? keep(older.task, older.characters) : undefined;
    },
    keep,
  };
}
