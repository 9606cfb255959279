// The port of tasks over MongoDB, put together: claims around orders, changes one document at a time, reads from indexes.
import { isVisible } from '#core/domain/task.ts';
import type { Clock } from '#core/ports/clock.ts';
import type { CreateCommand, CreateOutcome, TaskStore } from '#core/ports/task-store.ts';
import { createClaims } from './claims.ts';
import type { Calls } from './deadline.ts';
import { createDedupeKeys } from './dedupe-keys.ts';
import { allEnded, type Documents } from './documents.ts';
import { createOrders } from './orders.ts';
import { createSweeper } from './sweeper.ts';
import { toTask, type TaskDocument } from './task-documents.ts';
import { createTaskList } from './task-list.ts';
import { createTaskWriter } from './task-writer.ts';

interface Parts {
  documents: Documents;
  calls: Calls;
  clock: Clock;
  /** How long each read of a search may take. */
  searchMs: number;
}

export function createMongoTaskStore({ documents, calls, clock, searchMs }: Parts): TaskStore {
  const tasks = documents.table<TaskDocument>('tasks');
  const keys = createDedupeKeys(documents, tasks, clock);
  const writer = createTaskWriter(tasks, keys, clock);
  const orders = createOrders(documents, tasks, keys, writer);
  const claims = createClaims(documents, clock);
  const lists = createTaskList(tasks, searchMs);
  const sweeper = createSweeper(documents, tasks, keys, writer);

  async function create(command: CreateCommand): Promise<CreateOutcome> {
    const { orders: wanted, claim, at } = command;
    if (claim === undefined) return { kind: 'done', ...(await orders.carryOut(command, at)) };
    const held = await claims.hold(
      claim,
      wanted.map(({ id }) => id),
      at,
    );
    if (held.kind !== 'held') return held;
    try {
      const { ids, at: firstAt } = held.document;
      const mine = wanted.map((order, index) => ({ ...order, id: ids[index] ?? order.id }));
      const done = await orders.carryOut({ ...command, orders: mine }, firstAt?.getTime() ?? at);
      return await claims.complete(held, { kind: 'done', ...done }, at);
    } finally {
      claims.release(held);
    }
  }

  return {
    create: (command) => calls.run(() => create(command)),
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
