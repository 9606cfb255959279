// The tasks of an account's file: added as they are, within the quota, under their own ids where nobody has
// these.
import type { FileTask } from '#core/contract/index.ts';
import { fromFileTask, importedId } from '#core/domain/account-file.ts';
import type { Task } from '#core/domain/task.ts';
import { QinboxError } from '#core/errors.ts';
import type { Clock } from '#core/ports/clock.ts';
import type { Storage } from '#core/ports/storage.ts';
import type { AccountExport } from './export.ts';
import type { ImportReport } from './import-report.ts';
import { requireAllowed, type IsAllowed } from '#core/services/principal.ts';

export interface TasksParts {
  storage: Pick<Storage, 'tasks' | 'ownerData'>;
  exports: Pick<AccountExport, 'tasks'>;
  clock: Clock;
}

const ADDED_AT_ONCE = 100;

export function createTasksImport({ storage, exports, clock }: TasksParts) {
  const { tasks, ownerData } = storage;

  /** The ids of the owner's live tasks. */
  async function idsOf(ownerId: string): Promise<Set<string>> {
    const ids = new Set<string>();
    for await (const page of exports.tasks(ownerId)) for (const { id } of page) ids.add(id);
    return ids;
  }

  /** Why the quota has no room for these, or null; as far as is known without writing. */
  async function quotaRefusal(ownerId: string, wanted: readonly Task[]): Promise<string | null> {
    const at = clock.now();
    const inserts = wanted.map(({ id, content, priority, source, tags, metadata, reopens }) => ({
      id,
      draft: {
        content,
        priority,
        source,
        tags,
        metadata,
        reopens,
        expiryMinutes: 1,
        dedupeKey: null,
      },
    }));
    try {
      await tasks.checkQuota({ ownerId, adapter: 'rest', inserts, at, requestId: 'import' });
      return null;
    } catch (error) {
      if (error instanceof QinboxError && error.code === 'QUOTA_EXCEEDED') return error.message;
      throw error;
    }
  }

  async function add(
    ownerId: string,
    wanted: readonly Task[],
    report: ImportReport,
    isAllowed: IsAllowed,
  ): Promise<void> {
    let full = 0;
    const elsewhere: Task[] = [];
    for (let from = 0; from < wanted.length; from += ADDED_AT_ONCE) {
      // What is added for an account that is being deleted, after it was emptied, would stay.
      await requireAllowed(isAllowed);
      const some = wanted.slice(from, from + ADDED_AT_ONCE);
      const outcomes = await ownerData.addTasks(ownerId, some);
      outcomes.forEach((outcome, index) => {
        if (outcome === 'added') report.take('tasks');
        else if (outcome === 'there') report.find('tasks');
        else if (outcome === 'full') full++;
        else elsewhere.push(some[index] as Task);
      });
    }
    if (full > 0) report.leave('tasks', '', (await quotaRefusal(ownerId, wanted)) ?? FULL, full);
    const again = elsewhere.map((task) => ({ ...task, id: importedId(ownerId, task.id, 0) }));
    if (again.length > 0) await add(ownerId, again, report, isAllowed);
  }

  return async (
    ownerId: string,
    from: readonly FileTask[],
    idOf: (intake: string) => string,
    report: ImportReport,
    isAllowed: IsAllowed,
  ): Promise<void> => {
    const now = clock.now();
    const there = await idsOf(ownerId);
    const live = from
      .map((task) => fromFileTask(task, { ownerId, now, idOf }))
      .filter((task) => task !== null);
    if (live.length < from.length) report.leave('tasks', '', 'Their time was up.', from.length - live.length);
    const wanted = live.filter(({ id }) => !there.has(id) && !there.has(importedId(ownerId, id, 0)));
    if (wanted.length < live.length) report.find('tasks', live.length - wanted.length);
    if (!report.dryRun) return add(ownerId, wanted, report, isAllowed);
    const refusal = wanted.length === 0 ? null : await quotaRefusal(ownerId, wanted);
    if (refusal === null) report.take('tasks', wanted.length);
    else report.leave('tasks', '', `Not all of them have room. ${refusal}`, wanted.length);
  };
}

const FULL = 'The queue is full. Acknowledge some of its tasks, and import the file again.';
