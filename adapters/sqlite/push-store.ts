// The devices of users, what they show, and what is held for them.
import type { DatabaseSync } from 'node:sqlite';
import {
  changesPushes,
  MAX_HELD_TASKS,
  toStoredRules,
  type HeldPushes,
  type PushedTask,
  type PushRecord,
} from '#core/domain/push.ts';
import type { PushStore } from '#core/ports/push-store.ts';
import type { SecretStore } from '#core/ports/secret-store.ts';
import { reading } from './faults.ts';
import type { GroupCommit } from './disk/group-commit.ts';
import { PUSH, toPush, type PushRow } from './push-rows.ts';
import { prepareRows, prepareWrite, tableOf } from './table-sql.ts';
import type { TaskEvents } from './tasks/task-events.ts';

type PushedRow = Omit<PushedTask, 'devices'> & { devices: string };
type HeldRow = Omit<HeldPushes, 'taskIds'> & { taskIds: string };
/** A secret of the program. */
interface SecretRow {
  id: string;
  value: string;
}

export const SECRETS = tableOf<SecretRow>('secrets', ['id', 'value']);

/** Writes a record with the endpoints of its devices. Only inside a transaction. */
export function createPushWriter(db: DatabaseSync) {
  const find = prepareRows<PushRow>(db, `SELECT ${PUSH.columns} FROM push WHERE owner_id = ?`);
  const put = prepareWrite<PushRow>(
    db,
    `${PUSH.insert} ON CONFLICT (owner_id) DO UPDATE SET devices = excluded.devices, rules = excluded.rules`,
  );
  const holderOf = prepareRows<{ ownerId: string }>(
    db,
    'SELECT owner_id AS ownerId FROM push_endpoints WHERE hash = ?',
  );
  const addEndpoint = db.prepare(
    'INSERT INTO push_endpoints (hash, owner_id) VALUES (?, ?) ON CONFLICT (hash) DO UPDATE SET owner_id = excluded.owner_id',
  );
  const removeEndpoints = db.prepare('DELETE FROM push_endpoints WHERE owner_id = ?');

  const get = (ownerId: string): PushRecord | null => {
    const row = find.get(ownerId);
    return row === undefined ? null : toPush(row);
  };
  const store = (record: PushRecord) =>
    put({
      ownerId: record.ownerId,
      devices: JSON.stringify(record.devices),
      rules: toStoredRules(record),
    });

  /** Ids of the owners from whom a device was taken. */
  function write(record: PushRecord): Set<string> {
    const takenFrom = new Set<string>();
    for (const { endpointHash } of record.devices) {
      const holder = holderOf.get(endpointHash)?.ownerId;
      const other = holder === undefined || holder === record.ownerId ? null : get(holder);
      if (other === null) continue;
      store({ ...other, devices: other.devices.filter((one) => one.endpointHash !== endpointHash) });
      takenFrom.add(other.ownerId);
    }
    store(record);
    removeEndpoints.run(record.ownerId);
    for (const { endpointHash } of record.devices) addEndpoint.run(endpointHash, record.ownerId);
    return takenFrom;
  }

  return { get, write };
}

export function createSqlitePushStore(db: DatabaseSync, group: GroupCommit, events: TaskEvents): PushStore {
  const writer = createPushWriter(db);
  const owners = prepareRows<{ ownerId: string }>(
    db,
    "SELECT owner_id AS ownerId FROM push INDEXED BY push_owners WHERE devices <> '[]'",
  );
  return {
    get: (ownerId) => reading(() => writer.get(ownerId)),
    owners: () => reading(() => owners.all().map(({ ownerId }) => ownerId)),
    change: (ownerId, rule) =>
      group.write(() => {
        const before = writer.get(ownerId) ?? { ownerId, devices: [], rules: null };
        const record = rule(before);
        const takenFrom = record === before ? [] : [...writer.write({ ...record, ownerId })];
        if (takenFrom.length > 0 || changesPushes(before, record)) events.reactionsChange();
        return { record, takenFrom };
      }),
    ...createPushed(db, group),
    ...createHeld(db, group),
  };
}

type Pushed = Pick<PushStore, 'addPushed' | 'pushed' | 'takePushed' | 'countPushed' | 'purge'>;

function createPushed(db: DatabaseSync, group: GroupCommit): Pushed {
  const columns = 'owner_id AS ownerId, task_id AS taskId, devices, until';
  const find = prepareRows<PushedRow>(
    db,
    `SELECT ${columns} FROM push_shown WHERE owner_id = ? AND task_id = ?`,
  );
  const put = prepareWrite<PushedRow>(
    db,
    'INSERT OR REPLACE INTO push_shown (owner_id, task_id, devices, until) VALUES (:ownerId, :taskId, :devices, :until)',
  );
  const take = prepareRows<PushedRow>(
    db,
    `DELETE FROM push_shown WHERE owner_id = ? AND task_id = ? RETURNING ${columns}`,
  );
  const count = prepareRows<{ count: number }>(
    db,
    'SELECT count(*) AS count FROM push_shown WHERE owner_id = ?',
  );
  const purge = db.prepare('DELETE FROM push_shown WHERE until <= ?');
  const devicesOf = (row: PushedRow | undefined) =>
    row === undefined ? [] : (JSON.parse(row.devices) as string[]);
  const toPushed = (row: PushedRow): PushedTask => ({ ...row, devices: devicesOf(row) });

  return {
    addPushed: (pushed) =>
      group.write(() => {
        const before = devicesOf(find.get(pushed.ownerId, pushed.taskId));
        put({ ...pushed, devices: JSON.stringify([...new Set([...before, ...pushed.devices])]) });
      }),
    pushed: (ownerId, taskIds) =>
      reading(() => taskIds.flatMap((taskId) => find.all(ownerId, taskId)).map(toPushed)),
    takePushed: (ownerId, taskIds) =>
      group.write(() => taskIds.flatMap((taskId) => take.all(ownerId, taskId)).map(toPushed)),
    countPushed: (ownerId) => reading(() => count.get(ownerId)?.count ?? 0),
    purge: (now) => group.write(() => void purge.run(now)),
  };
}

type Held = Pick<PushStore, 'hold' | 'holdUntil' | 'takeDue' | 'removeHeld'>;

function createHeld(db: DatabaseSync, group: GroupCommit): Held {
  const columns = 'owner_id AS ownerId, task_ids AS taskIds, due_at AS dueAt';
  const find = prepareRows<HeldRow>(db, `SELECT ${columns} FROM push_held WHERE owner_id = ?`);
  const put = prepareWrite<HeldRow>(
    db,
    'INSERT OR REPLACE INTO push_held (owner_id, task_ids, due_at) VALUES (:ownerId, :taskIds, :dueAt)',
  );
  const move = db.prepare('UPDATE push_held SET due_at = ? WHERE owner_id = ?');
  const findDue = prepareRows<HeldRow>(
    db,
    `SELECT ${columns} FROM push_held WHERE due_at <= ? ORDER BY due_at LIMIT 1`,
  );
  const remove = db.prepare('DELETE FROM push_held WHERE owner_id = ?');
  const isDue = prepareRows(db, 'SELECT 1 FROM push_held WHERE due_at <= ? LIMIT 1');
  const idsOf = (row: HeldRow | undefined) =>
    row === undefined ? [] : (JSON.parse(row.taskIds) as string[]);

  return {
    hold: ({ ownerId, taskIds, dueAt }) =>
      group.write(() => {
        const before = find.get(ownerId);
        const all = [...new Set([...idsOf(before), ...taskIds])].slice(0, MAX_HELD_TASKS);
        put({
          ownerId,
          dueAt: Math.min(dueAt, before?.dueAt ?? dueAt),
          taskIds: JSON.stringify(all),
        });
      }),
    holdUntil: (ownerId, dueAt) => group.write(() => void move.run(dueAt, ownerId)),
    async takeDue(now, leaseMs) {
      // Somebody asks every second, and a write is one of the disk.
      if (!(await reading(() => isDue.get(now) !== undefined))) return null;
      return group.write(() => {
        const row = findDue.get(now);
        if (row === undefined) return null;
        move.run(now + leaseMs, row.ownerId);
        return { ...row, taskIds: idsOf(row) };
      });
    },
    removeHeld: (ownerId, taskIds) =>
      group.write(() => {
        const row = find.get(ownerId);
        if (row === undefined) return;
        const gone = new Set(taskIds);
        const left = idsOf(row).filter((id) => !gone.has(id));
        if (left.length === 0) remove.run(ownerId);
        else put({ ...row, taskIds: JSON.stringify(left) });
      }),
  };
}

export function createSqliteSecretStore(db: DatabaseSync, group: GroupCommit): SecretStore {
  const find = prepareRows<SecretRow>(db, `SELECT ${SECRETS.columns} FROM secrets WHERE id = ?`);
  const put = prepareWrite<SecretRow>(
    db,
    `${SECRETS.insert} ON CONFLICT (id) DO UPDATE SET value = excluded.value`,
  );
  return {
    ensure: (id, value, instead) =>
      group.write(() => {
        const stored = find.get(id)?.value ?? null;
        if (stored !== null && stored !== instead) return stored;
        put({ id, value });
        return value;
      }),
    get: (id) => reading(() => find.get(id)?.value ?? null),
  };
}
