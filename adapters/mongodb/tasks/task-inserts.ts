// Resolves dedupe keys and applies inserts, each once however often it comes and wherever it was cut off.
import { resolveTask, suppressesRepeats, isVisible, type Task } from '#core/domain/task.ts';
import { fingerprintOf } from '#core/domain/hash.ts';
import type { Clock } from '#core/ports/clock.ts';
import type { TaskOutcome } from '#core/domain/submission-outcome.ts';
import { identityOf, type Submission, type TaskInsert } from '#core/domain/submission.ts';
import type { Database, VersionedCollection } from '../server/collection.ts';
import type { DedupeKeys } from './dedupe-keys.ts';
import { createKeyedMutex, waitForAll } from '../promises.ts';
import type { Usage } from '../quota.ts';
import { createSingleInsert } from './single-insert.ts';
import { bytesOfTask, toTask, type TaskDocument } from './task-documents.ts';
import type { TaskEvents } from './task-events.ts';
import type { TaskWriter } from './task-writer.ts';

export interface TaskInserts {
  /**
   * Resolves keys as of `resolvedAt`, each before its inserts, then answers the outcomes of the inserts in
   * their order. Rejects when anything failed, after all have ended.
   */
  apply(command: Submission, resolvedAt: number): Promise<{ outcomes: TaskOutcome[]; resolved: Task[] }>;
  /** What applying it now would add to the owner's usage. Nothing when it creates no task. */
  usageOf(command: Submission): Promise<Usage>;
}

/** What a command does to one dedupe key; null: inserts without a key. */
interface KeyedWork {
  dedupeKey: string | null;
  inserts: readonly TaskInsert[];
  /** Whether its task is resolved first. */
  resolves: boolean;
}

interface Parts {
  database: Database;
  tasks: VersionedCollection<TaskDocument>;
  keys: DedupeKeys;
  writer: TaskWriter;
  events: TaskEvents;
  clock: Clock;
}

export function createTaskInserts({ database, tasks, keys, writer, events, clock }: Parts): TaskInserts {
  const single = createSingleInsert(database, tasks, keys, writer, events);
  const inTurn = createKeyedMutex();

  /** Resolves the task that has the key; answers it if it left the queue by this or an earlier attempt. */
  async function resolve(
    ownerId: string,
    dedupeKey: string,
    inserts: readonly TaskInsert[],
    at: number,
    resolvedBy: string,
  ): Promise<Task | null> {
    // An earlier attempt resolved the key before it applied the inserts of this command.
    const before = await Promise.all(inserts.map((insert) => single.wasApplied(ownerId, insert)));
    if (before.includes(true)) return null;
    const holder = await keys.find(ownerId, dedupeKey);
    if (holder === null || inserts.some(({ id }) => id === holder._id)) return null;
    const change = await writer.change(ownerId, holder._id, (task) => resolveTask(task, at), { resolvedBy });
    if (change === null) return holder.resolvedBy === resolvedBy ? toTask(holder) : null;
    return change.before.acknowledgedAt === null ? change.after : null;
  }

  async function applyKeyed(
    { dedupeKey, inserts, resolves }: KeyedWork,
    command: Submission,
    resolvedAt: number,
  ): Promise<{ outcomes: TaskOutcome[]; resolved: Task | null }> {
    const { ownerId, at } = command;
    if (dedupeKey === null)
      return {
        outcomes: await waitForAll(inserts.map((insert) => single.create(ownerId, insert, at))),
        resolved: null,
      };
    return inTurn(`${ownerId}\n${dedupeKey}`, async () => {
      const resolved = resolves
        ? await resolve(ownerId, dedupeKey, inserts, resolvedAt, fingerprintOf(identityOf(command)))
        : null;
      const outcomes: TaskOutcome[] = [];
      for (const insert of inserts)
        outcomes.push(await single.createOrRepeat(ownerId, insert, dedupeKey, at));
      return { outcomes, resolved };
    });
  }

  /** Whether a visible task, or one that suppresses repeats, has the key. */
  async function isHeld(ownerId: string, dedupeKey: string): Promise<boolean> {
    const holder = await keys.find(ownerId, dedupeKey);
    if (holder === null) return false;
    const task = toTask(holder);
    return isVisible(task, clock.now()) || suppressesRepeats(task, clock.now());
  }

  return {
    async apply(command, resolvedAt) {
      const { inserts, resolves = [] } = command;
      const works = worksOf(inserts, resolves);
      const done = await waitForAll(works.map((work) => applyKeyed(work, command, resolvedAt)));
      const outcomes = new Map<string, TaskOutcome>();
      works.forEach((work, each) =>
        work.inserts.forEach(({ id }, index) => outcomes.set(id, done[each]?.outcomes[index] as TaskOutcome)),
      );
      return {
        outcomes: inserts.map(({ id }) => outcomes.get(id) as TaskOutcome),
        resolved: done.map(({ resolved }) => resolved).filter((task) => task !== null),
      };
    },
    async usageOf({ ownerId, inserts, resolves = [] }) {
      const works = worksOf(inserts, resolves);
      const held = new Set<string>();
      const sizes = await waitForAll(
        works.map(async (work) => {
          const { dedupeKey } = work;
          if (dedupeKey !== null && (await isHeld(ownerId, dedupeKey))) held.add(dedupeKey);
          if (dedupeKey !== null && held.has(dedupeKey) && !work.resolves) return [];
          // Of inserts with one key, the first creates the task.
          const creating = dedupeKey === null ? work.inserts : work.inserts.slice(0, 1);
          const applied = await waitForAll(creating.map((insert) => single.wasApplied(ownerId, insert)));
          return creating.filter((_, index) => !applied[index]).map(({ draft }) => bytesOfTask(draft));
        }),
      );
      const created = sizes.flat();
      if (created.length === 0) return { tasks: 0, bytes: 0 };
      const resolved = resolves.filter((key) => held.has(key)).length;
      return {
        tasks: created.length - resolved,
        bytes: created.reduce((sum, bytes) => sum + bytes, 0),
      };
    },
  };
}

/** The command by dedupe keys: those that it resolves first. */
function worksOf(inserts: readonly TaskInsert[], resolves: readonly string[]): KeyedWork[] {
  const byKey = Map.groupBy(inserts, ({ draft }) => draft.dedupeKey);
  const keys = new Set<string | null>([...resolves, ...byKey.keys()]);
  const resolved = new Set<string | null>(resolves);
  return [...keys].map((dedupeKey) => ({
    dedupeKey,
    inserts: byKey.get(dedupeKey) ?? [],
    resolves: resolved.has(dedupeKey),
  }));
}
