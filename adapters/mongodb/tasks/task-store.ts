// The port of tasks: claims around inserts, changes one document at a time, reads from indexes.
import { isVisible } from '#core/domain/task.ts';
import type { Clock } from '#core/ports/clock.ts';
import type { Submission } from '#core/domain/submission.ts';
import {
  outcomeOfClaim,
  repeatedIds,
  replayOf,
  type ClaimAnswer,
  type SubmissionOutcome,
} from '#core/domain/submission-outcome.ts';
import type { Quota, TaskStore } from '#core/ports/task-store.ts';
import { QinboxError } from '#core/errors.ts';
import { createClaims } from '../claims.ts';
import type { Database } from '../server/collection.ts';
import type { Deadline } from '../server/deadline.ts';
import { createDedupeKeys } from './dedupe-keys.ts';
import type { OwnWork } from '../work/own-work.ts';
import { waitForAll } from '../promises.ts';
import { createQuotaGuard } from '../quota.ts';
import { createSweeper } from './sweeper.ts';
import { bytesOfTask, tasksOf, toTask } from './task-documents.ts';
import type { TaskEvents } from './task-events.ts';
import { createTaskInserts } from './task-inserts.ts';
import { createTaskList } from './task-list.ts';
import { createTaskWriter } from './task-writer.ts';

interface Parts {
  database: Database;
  deadline: Pick<Deadline, 'outside' | 'shared'>;
  events: TaskEvents;
  own: OwnWork;
  clock: Clock;
  /** How long each read of a search may take. */
  searchMs: number;
  quota: Quota;
}

export function createMongoTaskStore(parts: Parts): TaskStore {
  const { database, deadline, events, own, clock, searchMs, quota } = parts;
  const tasks = own.noting(tasksOf(database));
  const keys = createDedupeKeys(database, tasks, clock);
  const guard = createQuotaGuard(tasks, clock, quota);
  const writer = createTaskWriter({ tasks, keys, events, clock, quota: guard });
  const taskInserts = createTaskInserts({ database, tasks, keys, writer, events, clock });
  const claims = createClaims(database, clock);

  /** A command that creates no task needs no space. */
  function apply(command: Submission, resolvedAt: number) {
    const write = () => taskInserts.apply(command, resolvedAt);
    if (command.inserts.length === 0) return write();
    const exactly = () => taskInserts.usageOf(command);
    return guard.within(command.ownerId, mostOf(command), exactly, write);
  }

  async function replay({ ownerId, inserts }: Submission, answer: ClaimAnswer): Promise<SubmissionOutcome> {
    if (answer.kind !== 'answered') return answer;
    const ids = repeatedIds(answer);
    const found =
      ids.length === 0 ? [] : await tasks.find({ owner: ownerId, _id: { $in: ids } }, { hint: '_id_' });
    return replayOf(answer, inserts, new Map(found.map((document) => [document._id, toTask(document)])));
  }

  return {
    ...createTaskList(tasks, deadline, searchMs),

    async create(command): Promise<SubmissionOutcome> {
      const { inserts, claim, at } = command;
      if (claim === undefined) return { kind: 'done', ...(await apply(command, at)) };
      const held = await claims.hold(
        claim,
        command.ownerId,
        inserts.map(({ id }) => id),
        at,
      );
      if (held.kind !== 'held') return await replay(command, held);
      try {
        const { ids, at: firstAt } = held.document;
        const mine = inserts.map((insert, index) => ({ ...insert, id: ids[index] ?? insert.id }));
        const done = await apply({ ...command, inserts: mine }, firstAt?.getTime() ?? at);
        const completed = await claims.complete(held, { kind: 'done', ...done }, at);
        return completed.kind === 'done' ? completed : await replay(command, completed);
      } catch (error) {
        if (error instanceof QinboxError && error.code === 'QUOTA_EXCEEDED') await claims.abandon(held);
        throw error;
      } finally {
        claims.release(held);
      }
    },
    async readClaim(claim, at) {
      const answer = await claims.read(claim, at);
      return answer === null ? null : outcomeOfClaim(answer);
    },
    checkQuota: (command) =>
      guard.check(command.ownerId, mostOf(command), () => taskInserts.usageOf(command)),
    async change(ownerId, ids, rule) {
      // One by itself is looked at in its turn.
      const isChecked = ids.length > 1;
      if (isChecked) await writer.checkGrowth(ownerId, ids, rule);
      const changes = await waitForAll(ids.map((id) => writer.change(ownerId, id, rule, { isChecked })));
      return changes.filter((change) => change !== null);
    },
    async get(ownerId, id, now) {
      const document = await tasks.read(id, ownerId);
      if (document === null) return null;
      const task = toTask(document);
      return isVisible(task, now) ? task : null;
    },
    sweep: createSweeper({ database, tasks, writer, keys, events, deadline }),
  };
}

/** The most that a command can add to the owner's usage. */
function mostOf({ inserts }: Submission) {
  return {
    tasks: inserts.length,
    bytes: inserts.reduce((sum, { draft }) => sum + bytesOfTask(draft), 0),
  };
}
