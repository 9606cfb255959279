// Closes what is over and carries out inserts, each once however often it comes and wherever it was cut off before. A task's `_id` is the id of its
// order, so making it twice makes it once. An order that repeats a live task leaves its id on that task in the very write
// that counts it; a document of its own says beforehand which task that is, and afterwards what was answered.
import { CLAIM_TTL_MS } from '#core/contract/index.ts';
import {
  resolveTask,
  suppressesRepeats,
  isVisible,
  newTask,
  RESOLVED_AT,
  type Task,
} from '#core/domain/task.ts';
import type { Clock } from '#core/ports/clock.ts';
import { QinboxError } from '#core/errors.ts';
import type { CreateCommand, TaskOutcome } from '#core/ports/task-store.ts';
import type { TaskInsert } from '#core/domain/submission.ts';
import type { DedupeKeys } from './dedupe-keys.ts';
import { allEnded, until, type Documents, type Kept, type Table } from './documents.ts';
import type { Usage } from './room.ts';
import { bytesOfTask, newDocument, toTask, type TaskDocument } from './task-documents.ts';
import type { TaskWriter } from './task-writer.ts';
import { createTurns } from './turns.ts';

interface AppliedOrder extends Kept {
  /** The task that it repeats, or is about to. */
  task: string;
  /** The outcome as JSON once it was applied, else null. */
  answer: string | null;
  purgeAt: Date;
}

/** How many inserts known to be noted as applied are remembered, so that tasks need not carry their ids any longer. */
const SETTLED_MEMORY = 10_000;

export interface Orders {
  /**
   * Closes as of `closedAt`, then carries out; the outcome of each order, in their order. Rejects when any could not be carried
   * out, after all have ended. Keys are independent of each other: of each its task is closed before its inserts.
   */
  carryOut(command: CreateCommand, closedAt: number): Promise<{ outcomes: TaskOutcome[]; resolved: Task[] }>;
  /** What would come to what the owner has if this were carried out, as it stands: less for what it resolves. Nothing when it makes no task. */
  added(command: CreateCommand): Promise<Usage>;
}

export function createOrders(
  documents: Documents,
  tasks: Table<TaskDocument>,
  keys: DedupeKeys,
  writer: TaskWriter,
  clock: Clock,
): Orders {
  const applied = documents.table<AppliedOrder>('applied_orders');
  const inTurn = createTurns();
  const settled = new Set<string>();

  /** Makes the task; it may exist already, made by an earlier attempt or in our stead. */
  async function make(ownerId: string, order: TaskInsert, at: number): Promise<TaskOutcome> {
    const task = newTask(order.draft, order.id, ownerId, at);
    if (await tasks.insert(newDocument(task))) return { task, created: true };
    const made = await madeBefore(ownerId, order.id);
    if (made === null) throw new QinboxError('CONFLICT', 'This task id is in use.');
    return made;
  }

  async function madeBefore(ownerId: string, id: string): Promise<TaskOutcome | null> {
    const document = await tasks.read(id);
    return document?.owner === ownerId ? { task: toTask(document), created: true } : null;
  }

  async function settle(order: AppliedOrder, outcome: TaskOutcome): Promise<TaskOutcome> {
    if (await applied.swap(order, { ...order, answer: JSON.stringify(outcome) })) {
      if (settled.size >= SETTLED_MEMORY) settled.clear();
      settled.add(order._id);
    }
    return outcome;
  }

  /** What an order that came before did to a live task; null when it did nothing. */
  async function repeatedBefore(order: AppliedOrder): Promise<TaskOutcome | null> {
    if (order.answer !== null) return JSON.parse(order.answer) as TaskOutcome;
    const document = await tasks.read(order.task);
    if (document === null || document.applied?.includes(order._id) !== true) return null;
    return settle(order, { task: toTask(document), created: false });
  }

  /** Notes which task the order is about to repeat; null when another process notes something just now. */
  async function intend(id: string, before: AppliedOrder | null, task: string, at: number) {
    const intent = { task, answer: null, purgeAt: new Date(at + CLAIM_TTL_MS) };
    if (before === null)
      return (await applied.insert({ _id: id, v: 1, ...intent })) ? { _id: id, v: 1, ...intent } : null;
    if (before.task === task) return before;
    return (await applied.swap(before, intent)) ? { _id: id, v: before.v + 1, ...intent } : null;
  }

  async function attempt(
    ownerId: string,
    order: TaskInsert,
    dedupeKey: string,
    at: number,
  ): Promise<{ answer: TaskOutcome } | null> {
    const [made, before, key] = await Promise.all([
      madeBefore(ownerId, order.id),
      applied.read(order.id),
      keys.read(ownerId, dedupeKey),
    ]);
    if (made !== null) return { answer: made };
    const repeated = before === null ? null : await repeatedBefore(before);
    if (repeated !== null) return { answer: repeated };

    const holder = key === null || key.task === order.id ? null : await keys.holderOf(key);
    if (holder !== null) {
      const intent = await intend(order.id, before, holder._id, at);
      if (intent === null) return null;
      const task = await writer.repeat(holder, order.id, order.draft, at, settled);
      if (task === 'stale') return null;
      if (task !== 'hidden') return { answer: await settle(intent, { task, created: false }) };
    }
    const making = newDocument(newTask(order.draft, order.id, ownerId, at));
    if (!(await keys.give(ownerId, dedupeKey, key, making))) return null;
    return { answer: await make(ownerId, order, at) };
  }

  async function wasCarriedOut(ownerId: string, { id }: TaskInsert): Promise<boolean> {
    const [made, before] = await Promise.all([madeBefore(ownerId, id), applied.read(id)]);
    return made !== null || (before !== null && (await repeatedBefore(before)) !== null);
  }

  /** Closes the task that has the key; answers it if it left the queue by that, now or at an earlier attempt. */
  async function close(
    ownerId: string,
    dedupeKey: string,
    inserts: readonly TaskInsert[],
    at: number,
  ): Promise<Task | null> {
    // What the inserts of this very command made or repeated at an earlier attempt came after the closing.
    const before = await Promise.all(inserts.map((order) => wasCarriedOut(ownerId, order)));
    if (before.includes(true)) return null;
    const key = await keys.read(ownerId, dedupeKey);
    const holder = key === null ? null : await keys.holderOf(key);
    if (holder === null || inserts.some(({ id }) => id === holder._id)) return null;
    const change = await writer.change(ownerId, holder._id, (task) => resolveTask(task, at));
    if (change === null) return wasClosed(holder, at) ? toTask(holder) : null;
    return change.before.acknowledgedAt === null ? change.after : null;
  }

  /** What has one dedupe key, one after another. */
  function carryOutKeyed(dedupeKey: string, group: Group, { ownerId, at }: CreateCommand, closedAt: number) {
    return inTurn(`${ownerId}\n${dedupeKey}`, async () => {
      const { inserts, resolves } = group;
      const resolved = resolves ? await close(ownerId, dedupeKey, inserts, closedAt) : null;
      const outcomes: TaskOutcome[] = [];
      for (const order of inserts) outcomes.push(await until(() => attempt(ownerId, order, dedupeKey, at)));
      return { outcomes, resolved };
    });
  }

  /** Whether a live or silent task has the key. */
  async function isHeld(ownerId: string, dedupeKey: string): Promise<boolean> {
    const key = await keys.read(ownerId, dedupeKey);
    const holder = key === null ? null : await keys.holderOf(key);
    if (holder === null) return false;
    const task = toTask(holder);
    return isVisible(task, clock.now()) || suppressesRepeats(task, clock.now());
  }

  return {
    async added({ ownerId, inserts, resolves = [] }) {
      const first = new Map(inserts.map((order) => [order.draft.dedupeKey ?? order.id, order]));
      const closing = new Set(resolves);
      const held = new Set<string>();
      const named = [...new Set([...resolves, ...inserts.flatMap(({ draft }) => draft.dedupeKey ?? [])])];
      await allEnded(
        named.map(async (key) => {
          if (await isHeld(ownerId, key)) held.add(key);
        }),
      );
      const made = await allEnded(
        [...first.values()].map(async (order) => {
          const { dedupeKey } = order.draft;
          if (dedupeKey !== null && held.has(dedupeKey) && !closing.has(dedupeKey)) return null;
          return (await wasCarriedOut(ownerId, order)) ? null : bytesOfTask(order.draft);
        }),
      );
      const sizes = made.filter((bytes) => bytes !== null);
      if (sizes.length === 0) return { tasks: 0, bytes: 0 };
      const resolved = resolves.filter((key) => held.has(key)).length;
      return {
        tasks: sizes.length - resolved,
        bytes: sizes.reduce((sum, bytes) => sum + bytes, 0),
      };
    },
    async carryOut(command, closedAt) {
      const { ownerId, inserts, resolves = [], at } = command;
      const byKey = new Map<string | null, Group>(
        resolves.map((dedupeKey) => [dedupeKey, { inserts: [], resolves: true }]),
      );
      for (const [dedupeKey, group] of Map.groupBy(inserts, ({ draft }) => draft.dedupeKey))
        byKey.set(dedupeKey, { inserts: group, resolves: byKey.has(dedupeKey) });
      const found = new Map<string, TaskOutcome>();
      const done = await allEnded(
        [...byKey].map(async ([dedupeKey, group]) => {
          const { outcomes, resolved } =
            dedupeKey === null
              ? {
                  outcomes: await allEnded(group.inserts.map((order) => make(ownerId, order, at))),
                  resolved: null,
                }
              : await carryOutKeyed(dedupeKey, group, command, closedAt);
          group.inserts.forEach(({ id }, index) => found.set(id, outcomes[index] as TaskOutcome));
          return resolved;
        }),
      );
      return {
        outcomes: inserts.map(({ id }) => found.get(id) as TaskOutcome),
        resolved: done.filter((task) => task !== null),
      };
    },
  };
}

/** What a command says of one dedupe key. */
interface Group {
  inserts: readonly TaskInsert[];
  /** Whether its task is over first. */
  resolves: boolean;
}

/** Whether the task was closed as of `at`, and not closed in silence after a person had acknowledged it. */
function wasClosed(document: TaskDocument, at: number): boolean {
  const task = toTask(document);
  return task.acknowledgedAt === at && task.metadata[RESOLVED_AT] === new Date(at).toISOString();
}
