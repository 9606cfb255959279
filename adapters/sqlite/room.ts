// Holds owners to the quota, exactly, within the transaction of the write. Far below it nothing is counted; near it the write is done,
// looked at, and taken back when it went over.
import type { DatabaseSync } from 'node:sqlite';
import { quotaExceeded, type QinboxError } from '#core/errors.ts';
import type { Clock } from '#core/ports/clock.ts';
import type { Quota } from '#core/ports/task-store.ts';
import type { Owners, Usage } from './owners.ts';

/** More than one task can grow by: 10,000 characters, 20 tags of 50, 16 KiB of metadata and a note of ours, in UTF-8. */
const MOST_BYTES_OF_A_TASK = 64 * 1024;

export interface Room {
  /** Does what makes up to `inserts` tasks and answers it, or, having done nothing, the refusal. `work` answers how many it made. */
  make<T extends { made: number }>(owner: number, inserts: number, work: () => T): T | QinboxError;
  /** Does what may make up to `tasks` tasks larger; as {@link make}. */
  grow<T>(owner: number, tasks: number, work: () => T): T | QinboxError;
  /** What is refused when this many tasks and bytes come to what the owner has, as committed; or null. */
  refusal(owner: number | null, tasks: number, bytes: number): QinboxError | null;
}

export function createRoom(db: DatabaseSync, owners: Owners, clock: Clock, quota: Quota): Room {
  const begin = db.prepare('SAVEPOINT room');
  const undo = db.prepare('ROLLBACK TO room');
  const end = db.prepare('RELEASE room');

  function isFar({ tasks, bytes }: Usage, more: number): boolean {
    return tasks + more <= quota.tasks && bytes + more * MOST_BYTES_OF_A_TASK <= quota.bytes;
  }

  /** Tasks whose time is up count no more, swept or not. */
  function visible(owner: number | null, tasks: number): number {
    if (owner === null) return tasks;
    return owners.overdue(owner, clock.now()).reduce((left, expired) => left - expired, tasks);
  }

  function tooManyTasks(owner: number | null, tasks: number): QinboxError | null {
    return tasks > quota.tasks && visible(owner, tasks) > quota.tasks
      ? quotaExceeded('tasks', quota.tasks)
      : null;
  }

  function tooManyBytes(bytes: number): QinboxError | null {
    return bytes > quota.bytes ? quotaExceeded('bytes', quota.bytes) : null;
  }

  /** Does the work and takes it back when `judge` refuses what came of it. */
  function attempt<T>(
    owner: number,
    work: () => T,
    judge: (done: T, before: Usage, after: Usage) => QinboxError | null,
  ): T | QinboxError {
    const before = owners.used(owner);
    const forget = owners.mark(owner);
    begin.run();
    const done = work();
    const refusal = judge(done, before, owners.used(owner));
    if (refusal !== null) {
      undo.run();
      forget();
    }
    end.run();
    return refusal ?? done;
  }

  return {
    make(owner, inserts, work) {
      if (isFar(owners.used(owner), inserts)) return work();
      return attempt(owner, work, ({ made }, before, after) => {
        if (made === 0) return null;
        const tasks = after.tasks > before.tasks ? tooManyTasks(owner, after.tasks) : null;
        return tasks ?? (after.bytes > before.bytes ? tooManyBytes(after.bytes) : null);
      });
    },
    grow(owner, tasks, work) {
      if (isFar({ ...owners.used(owner), tasks: 0 }, tasks)) return work();
      return attempt(owner, work, (_, before, after) =>
        after.bytes > before.bytes ? tooManyBytes(after.bytes) : null,
      );
    },
    refusal(owner, tasks, bytes) {
      const used = owner === null ? { tasks: 0, bytes: 0 } : owners.usage(owner);
      const tooMany = tasks === 0 ? null : tooManyTasks(owner, used.tasks + tasks);
      return tooMany ?? tooManyBytes(used.bytes + bytes);
    },
  };
}
