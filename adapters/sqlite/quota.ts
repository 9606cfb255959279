// Holds owners to the quota, exactly, within the transaction of the write. Only near the quota is the write
// checked, and rolled back when it exceeds it.
import type { DatabaseSync } from 'node:sqlite';
import { quotaExceeded, type QinboxError } from '#core/errors.ts';
import type { Clock } from '#core/ports/clock.ts';
import type { Quota } from '#core/ports/task-store.ts';
import type { Owners, Usage } from './owners.ts';

/** More than a task: 10,000 characters, 20 tags of 50, 16 KiB of metadata and a note of ours, in UTF-8. */
const MAX_TASK_BYTES = 64 * 1024;

export interface QuotaGuard {
  /**
   * Runs a write that creates up to `inserts` tasks, or `replaces` what some say; its answer, or the refusal
   * after a rollback.
   */
  create<T>(
    owner: number,
    inserts: number,
    replaces: boolean,
    write: () => { created: number; answer: T },
  ): T | QinboxError;
  /** As {@link create}, for a write that makes up to `tasks` tasks larger. */
  grow<T>(owner: number, tasks: number, write: () => T): T | QinboxError;
  /** The refusal of so many more tasks and bytes than are committed, or null. */
  refusal(owner: number | null, tasks: number, bytes: number): QinboxError | null;
}

export function createQuotaGuard(db: DatabaseSync, owners: Owners, clock: Clock, quota: Quota): QuotaGuard {
  const begin = db.prepare('SAVEPOINT quota');
  const rollback = db.prepare('ROLLBACK TO quota');
  const release = db.prepare('RELEASE quota');

  function isFar({ tasks, bytes }: Usage, more: number): boolean {
    return tasks + more <= quota.tasks && bytes + more * MAX_TASK_BYTES <= quota.bytes;
  }

  function tooManyTasks(owner: number | null, tasks: number): QinboxError | null {
    if (tasks <= quota.tasks) return null;
    // Expired tasks count no more, swept or not.
    const expired = owner === null ? [] : owners.overdue(owner, clock.now());
    const visible = expired.reduce((left, count) => left - count, tasks);
    return visible > quota.tasks ? quotaExceeded('tasks', quota.tasks) : null;
  }

  function tooManyBytes(bytes: number): QinboxError | null {
    return bytes > quota.bytes ? quotaExceeded('bytes', quota.bytes) : null;
  }

  /** Runs the write and rolls it back when `refuse` answers an error. */
  function attempt<T>(
    owner: number,
    write: () => T,
    refuse: (done: T, before: Usage, after: Usage) => QinboxError | null,
  ): T | QinboxError {
    const before = owners.used(owner);
    const restoreCounts = owners.savepoint(owner);
    begin.run();
    const done = write();
    const refusal = refuse(done, before, owners.used(owner));
    if (refusal !== null) {
      rollback.run();
      restoreCounts();
    }
    release.run();
    return refusal ?? done;
  }

  return {
    create(owner, inserts, replaces, write) {
      if (isFar(owners.used(owner), inserts)) return write().answer;
      const done = attempt(owner, write, ({ created }, before, after) => {
        if (created === 0 && !replaces) return null;
        const tasks = after.tasks > before.tasks ? tooManyTasks(owner, after.tasks) : null;
        return tasks ?? (after.bytes > before.bytes ? tooManyBytes(after.bytes) : null);
      });
      return 'answer' in done ? done.answer : done;
    },
    grow(owner, tasks, write) {
      if (isFar({ ...owners.used(owner), tasks: 0 }, tasks)) return write();
      return attempt(owner, write, (_, before, after) =>
        after.bytes > before.bytes ? tooManyBytes(after.bytes) : null,
      );
    },
    refusal(owner, tasks, bytes) {
      const used = owner === null ? { tasks: 0, bytes: 0 } : owners.usage(owner);
      return (
        (tasks === 0 ? null : tooManyTasks(owner, used.tasks + tasks)) ?? tooManyBytes(used.bytes + bytes)
      );
    },
  };
}
