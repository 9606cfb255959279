// What this process has stored that makes work: tasks with an outbox, which it moves to their lanes at once,
// and lanes that it gave work. Only in memory: what is lost here is found in the store (work-moving.ts).
import { createWorkSignal, type WorkSignal } from '#core/work-signal.ts';
import type { VersionedCollection } from '../server/collection.ts';
import type { TaskDocument } from '../tasks/task-documents.ts';

/** A task with work, as it was stored. */
export type Outbox = Pick<TaskDocument, '_id' | 'owner' | 'v' | 'outbox'>;

export interface OwnWork extends Pick<WorkSignal, 'on'> {
  /** The collection, of which every document that is stored with an outbox is noted. */
  noting(tasks: VersionedCollection<TaskDocument>): VersionedCollection<TaskDocument>;
  /** A lane was given work. */
  noteLanes(lanes: Iterable<string>): void;
  /** Up to `limit` of those that were noted since the last call, and whether there are more. */
  takeOutboxes(limit: number): { outboxes: Outbox[]; more: boolean };
  takeLanes(): string[];
}

/** More than that waits in the store alone. */
const MOST = 2000;

export function createOwnWork(): OwnWork {
  const signal = createWorkSignal();
  /** The latest of each task: it has all that the ones before had. */
  const outboxes = new Map<string, Outbox>();
  const lanes = new Set<string>();

  function note({ _id, owner, outbox }: Omit<Outbox, 'v'>, v: number): void {
    if (outbox === undefined || (outboxes.size >= MOST && !outboxes.has(_id))) return;
    outboxes.set(_id, { _id, owner, v, outbox });
    signal.tell();
  }

  return {
    on: signal.on,
    noting: (tasks) => ({
      ...tasks,
      async insert(document) {
        const isInserted = await tasks.insert(document);
        if (isInserted) note(document, document.v);
        return isInserted;
      },
      async replace(before, after) {
        const isReplaced = await tasks.replace(before, after);
        if (isReplaced && after !== null) note({ ...after, _id: before._id }, before.v + 1);
        return isReplaced;
      },
    }),
    noteLanes(given) {
      for (const lane of given) lanes.add(lane);
      if (lanes.size > 0) signal.tell();
    },
    takeOutboxes(limit) {
      const taken = [...outboxes.values()].slice(0, limit);
      for (const { _id } of taken) outboxes.delete(_id);
      return { outboxes: taken, more: outboxes.size > 0 };
    },
    takeLanes() {
      const taken = [...lanes];
      lanes.clear();
      return taken;
    },
  };
}
