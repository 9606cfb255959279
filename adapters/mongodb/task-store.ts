// The port of tasks over MongoDB, put together: claims around inserts, changes one document at a time, reads from indexes.
import { isVisible } from '#core/domain/task.ts';
import type { Clock } from '#core/ports/clock.ts';
import type { CreateCommand, CreateOutcome, Quota, TaskStore } from '#core/ports/task-store.ts';
import { QinboxError } from '#core/errors.ts';
import { createClaims } from './claims.ts';
import type { Calls } from './deadline.ts';
import { createDedupeKeys } from './dedupe-keys.ts';
import { allEnded, type Documents } from './documents.ts';
import { createOrders } from './orders.ts';
import { createSweeper } from './sweeper.ts';
import { bytesOfTask, toTask, type TaskDocument } from './task-documents.ts';
import { createRoom } from './room.ts';
import { createTaskList } from './task-list.ts';
import { createTaskWriter } from './task-writer.ts';

interface Parts {
  documents: Documents;
  calls: Calls;
  clock: Clock;
  /** How long each read of a search may take. */
  searchMs: number;
  quota: Quota;
}

export function createMongoTaskStore({ documents, calls, clock, searchMs, quota }: Parts): TaskStore {
  const tasks = documents.table<TaskDocument>('tasks');
  const keys = createDedupeKeys(documents, tasks, clock);
  const room = createRoom(tasks, clock, quota);
  const writer = createTaskWriter(tasks, keys, clock, room);
  const inserts = createOrders(documents, tasks, keys, writer, clock);
  const claims = createClaims(documents, clock);
  const lists = createTaskList(tasks, searchMs);
  const sweeper = createSweeper(documents, tasks, keys, writer);

  /** More than carrying it out can add. */
  const mostOf = ({ inserts }: CreateCommand) => ({
    tasks: inserts.length,
    bytes: inserts.reduce((sum, { draft }) => sum + bytesOfTask(draft), 0),
  });

  /** Carries it out if the owner has room for it. What makes no task needs none. */
  function carryOut(command: CreateCommand, closedAt: number) {
    const work = () => inserts.carryOut(command, closedAt);
    if (command.inserts.length === 0) return work();
    return room.within(command.ownerId, mostOf(command), () => inserts.added(command), work);
  }

  async function create(command: CreateCommand): Promise<CreateOutcome> {
    const { inserts: wanted, claim, at } = command;
    if (claim === undefined) return { kind: 'done', ...(await carryOut(command, at)) };
    const held = await claims.hold(
      claim,
      wanted.map(({ id }) => id),
      at,
    );
    if (held.kind !== 'held') return held;
    try {
      const { ids, at: firstAt } = held.document;
      const mine = wanted.map((order, index) => ({ ...order, id: ids[index] ?? order.id }));
      const done = await carryOut({ ...command, inserts: mine }, firstAt?.getTime() ?? at);
      return await claims.complete(held, { kind: 'done', ...done }, at);
    } catch (error) {
      if (error instanceof QinboxError && error.code === 'QUOTA_EXCEEDED') await claims.abandon(held);
      throw error;
    } finally {
      claims.release(held);
    }
  }

  return {
    create: (command) => calls.run(() => create(command)),
    checkQuota: (command) =>
      calls.run(() => room.check(command.ownerId, mostOf(command), () => inserts.added(command))),
    change: (ownerId, ids, rule) =>
      calls.run(async () => {
        const changes = await allEnded(ids.map((id) => writer.change(ownerId, id, rule)));
        return changes.filter((change) => change !== null);
      }),
    changeByDedupeKey: (ownerId, dedupeKey, rule) =>
      calls.run(async () => {
        const key = await keys.read(ownerId, dedupeKey);
        const holder = key === null ? null : await keys.holderOf(key);
        if (holder === null) return null;
        return writer.change(ownerId, holder._id, (task) =>
          task.acknowledgedAt === null && task.dedupeKey === dedupeKey ? rule(task) : null,
        );
      }),
    get: (ownerId, id, now) =>
      calls.run(async () => {
        const document = await tasks.read(id);
        if (document === null || document.owner !== ownerId) return null;
        const task = toTask(document);
        return isVisible(task, now) ? task : null;
      }),
    list: (...query) => calls.run(() => lists.list(...query)),
    statistics: (ownerId, now) => calls.run(() => lists.statistics(ownerId, now)),
    revision: (ownerId, now) => calls.run(() => lists.revision(ownerId, now)),
    listRestorable: (ownerId, now, limit) => calls.run(() => lists.listRestorable(ownerId, now, limit)),
    sweep: (now, limit) => calls.run(() => sweeper.sweep(now, limit)),
  };
}
