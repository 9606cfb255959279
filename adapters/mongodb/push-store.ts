// The devices of users, what they show, and what is held for them. One document for each owner has the
// devices and the rules, so that a change of them is atomic.
import {
  changesPushes,
  MAX_HELD_TASKS,
  type HeldPushes,
  type PushedTask,
  type PushRecord,
} from '#core/domain/push.ts';
import type { PushStore } from '#core/ports/push-store.ts';
import type { SecretStore } from '#core/ports/secret-store.ts';
import type { Database, Versioned } from './server/collection.ts';
import { RETRY, retry, waitForAll } from './promises.ts';
import { pushFields, pushOf, toPush, WITH_DEVICE } from './push-documents.ts';
import type { TaskEvents } from './tasks/task-events.ts';

interface PushedDocument extends Versioned {
  owner: string;
  task: string;
  devices: string[];
  purgeAt: Date;
}

/** `_id` is the owner's. */
interface HeldDocument extends Versioned {
  tasks: string[];
  dueAt: Date;
}

export interface SecretDocument extends Versioned {
  value: string;
}

export function createMongoPushStore(database: Database, events: TaskEvents): PushStore {
  const push = pushOf(database);

  /** Takes endpoints from the other owners who have them, whose ids it answers. */
  async function takeEndpoints({ ownerId, devices }: PushRecord): Promise<string[]> {
    const hashes = devices.map(({ endpointHash }) => endpointHash);
    const others = await push.find(
      { _id: { $ne: ownerId }, 'devices.endpointHash': { $in: hashes } },
      { projection: { _id: 1 }, hint: 'endpoint' },
    );
    const ids = others.map(({ _id }) => _id);
    if (ids.length === 0) return ids;
    await push.run((collection) =>
      collection.updateMany(
        { _id: { $in: ids } },
        { $pull: { devices: { endpointHash: { $in: hashes } } }, $inc: { v: 1 } },
      ),
    );
    return ids;
  }

  return {
    async get(ownerId) {
      const found = await push.read(ownerId);
      return found === null ? null : toPush(found);
    },
    async owners() {
      return (await push.find(WITH_DEVICE, { projection: { _id: 1 }, hint: 'endpoint' })).map(
        ({ _id }) => _id,
      );
    },
    async change(ownerId, rule) {
      const { before, record, takenFrom } = await retry(async () => {
        const found = await push.read(ownerId);
        const before = found === null ? { ownerId, devices: [], rules: null } : toPush(found);
        const record = rule(before);
        if (record === before) return { before, record, takenFrom: [] };
        const isStored =
          found === null
            ? await push.insert({ _id: ownerId, v: 1, ...pushFields(record) })
            : await push.replace(found, pushFields(record));
        if (!isStored) return RETRY;
        // After it: of two owners who add one browser at once, at most one has it in the end.
        return { before, record, takenFrom: await takeEndpoints(record) };
      });
      if (takenFrom.length > 0 || changesPushes(before, record)) await events.reactionsChanged();
      return { record, takenFrom };
    },
    ...createPushed(database),
    ...createHeld(database),
  };
}

type Pushed = Pick<PushStore, 'addPushed' | 'pushed' | 'takePushed' | 'countPushed' | 'purge'>;

function createPushed(database: Database): Pushed {
  const pushed = database.collection<PushedDocument>('push_shown');
  const idOf = (ownerId: string, taskId: string) => `${ownerId} ${taskId}`;
  const of = (owner: string, taskIds: readonly string[]) => ({
    _id: { $in: taskIds.map((id) => idOf(owner, id)) },
    owner,
  });
  const toPushed = ({ owner, task, devices, purgeAt }: PushedDocument): PushedTask => ({
    ownerId: owner,
    taskId: task,
    devices,
    until: purgeAt.getTime(),
  });

  return {
    addPushed: ({ ownerId, taskId, devices, until }) =>
      retry(async () => {
        const _id = idOf(ownerId, taskId);
        const found = await pushed.read(_id, ownerId);
        const all = [...new Set([...(found?.devices ?? []), ...devices])];
        const fields = { owner: ownerId, task: taskId, devices: all, purgeAt: new Date(until) };
        const isStored =
          found === null
            ? await pushed.insert({ _id, v: 1, ...fields })
            : await pushed.replace(found, fields);
        return isStored ? undefined : RETRY;
      }),
    async pushed(ownerId, taskIds) {
      return (await pushed.find(of(ownerId, taskIds), {})).map(toPushed);
    },
    async takePushed(ownerId, taskIds) {
      const found = await pushed.find(of(ownerId, taskIds), { projection: { _id: 1 } });
      const taken = await waitForAll(
        found.map(({ _id }) =>
          pushed.run((collection) => collection.findOneAndDelete({ _id, owner: ownerId })),
        ),
      );
      return taken.filter((document) => document !== null).map(toPushed);
    },
    countPushed: (ownerId) => pushed.count({ owner: ownerId }, { hint: 'owner' }),
    async purge(now) {
      await pushed.removeMany({ purgeAt: { $lte: new Date(now) } });
    },
  };
}

type Held = Pick<PushStore, 'hold' | 'holdUntil' | 'takeDue' | 'removeHeld'>;

function createHeld(database: Database): Held {
  const held = database.collection<HeldDocument>('push_held');
  return {
    hold: ({ ownerId, taskIds, dueAt }) =>
      retry(async () => {
        const found = await held.read(ownerId);
        const all = new Set([...(found?.tasks ?? []), ...taskIds]);
        const due = Math.min(dueAt, found?.dueAt.getTime() ?? dueAt);
        const fields = { tasks: [...all].slice(0, MAX_HELD_TASKS), dueAt: new Date(due) };
        const isStored =
          found === null
            ? await held.insert({ _id: ownerId, v: 1, ...fields })
            : await held.replace(found, fields);
        return isStored ? undefined : RETRY;
      }),
    async holdUntil(ownerId, dueAt) {
      await held.run((collection) =>
        collection.updateOne({ _id: ownerId }, { $set: { dueAt: new Date(dueAt) }, $inc: { v: 1 } }),
      );
    },
    async takeDue(now, leaseMs): Promise<HeldPushes | null> {
      const due = { dueAt: { $lte: new Date(now) } };
      const later = { $set: { dueAt: new Date(now + leaseMs) }, $inc: { v: 1 } };
      const taken = await held.run((collection) =>
        collection.findOneAndUpdate(due, later, { sort: { dueAt: 1 }, returnDocument: 'before' }),
      );
      return taken === null
        ? null
        : { ownerId: taken._id, taskIds: taken.tasks, dueAt: taken.dueAt.getTime() };
    },
    removeHeld: (ownerId, taskIds) =>
      retry(async () => {
        const found = await held.read(ownerId);
        if (found === null) return undefined;
        const gone = new Set(taskIds);
        const tasks = found.tasks.filter((id) => !gone.has(id));
        const after = tasks.length === 0 ? null : { tasks, dueAt: found.dueAt };
        return (await held.replace(found, after)) ? undefined : RETRY;
      }),
  };
}

export function createMongoSecretStore(database: Database): SecretStore {
  const secrets = database.collection<SecretDocument>('secrets');
  return {
    ensure: (id, value, instead) =>
      retry(async () => {
        const stored = await secrets.read(id);
        if (stored !== null && stored.value !== instead) return stored.value;
        const isStored =
          stored === null
            ? await secrets.insert({ _id: id, v: 1, value })
            : await secrets.replace(stored, { value });
        return isStored ? value : RETRY;
      }),
    get: async (id) => (await secrets.read(id))?.value ?? null,
  };
}
