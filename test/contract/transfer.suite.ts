// The promises of the port Transfer, for every driver.
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { UNDO_WINDOW_MS } from '#core/contract/index.ts';
import { acknowledgeTask, newTask, restoreTask, type Metadata, type Task } from '#core/domain/task.ts';
import type { AdapterRecord } from '#core/domain/adapter-record.ts';
import { DEFAULT_RULES } from '#core/domain/push.ts';
import { REJECTED_TTL_MS, type RejectedSubmission } from '#core/domain/submission.ts';
import type { Storage } from '#core/ports/storage.ts';
import { nameOf, type TransferRecord } from '#core/domain/transfer.ts';
import { createFakeClock, type FakeClock } from '#test/helpers/clock.ts';
import {
  deliveryTo,
  deviceOf,
  followUpsOf,
  intakeOf,
  keyOf,
  newOwner,
  insertOf,
  sessionOf,
  userOf,
  webhookOf,
} from '#test/helpers/records.ts';
import { sweepOnce } from '#test/helpers/sweeps.ts';
import { submissionOf } from '#test/helpers/submissions.ts';
import type { StorageHarness, StorageUnderTest } from './harness.ts';

/** Everything that a store exports at `at`, in an order of its own. */
export async function exported(storage: Storage, at: number): Promise<TransferRecord[]> {
  const all: TransferRecord[] = [];
  for await (const batch of storage.transfer.exportAll(at)) all.push(...batch);
  return sorted(all);
}

function sorted(records: readonly TransferRecord[]): TransferRecord[] {
  const name = (stored: TransferRecord) => `${stored.kind} ${nameOf(stored)}`;
  return records.toSorted((a, b) => (name(a) < name(b) ? -1 : 1));
}

/** A live task with these fields on top. */
export function taskOf(ownerId: string, now: number, fields: Partial<Task> = {}): Task {
  const { id, draft } = insertOf();
  return { ...newTask(draft, id, ownerId, now), ...fields };
}

const asTask = (record: Task): TransferRecord => ({ kind: 'task', record });

/** Runs the suite on a driver. */
export function describeTransfer(name: string, harness: StorageHarness): void {
  describe(`transfer: ${name}`, () => {
    let clock: FakeClock;
    let under: StorageUnderTest;
    let storage: Storage;
    let second: Storage;

    beforeEach(async () => {
      clock = createFakeClock();
      under = await harness.create(clock);
      storage = under.storage;
      second = await under.another();
    });
    afterEach(() => under.dispose());

    function rejectedOf(rejectedAt: number): RejectedSubmission {
      const submission = {
        ownerId: newOwner(),
        adapter: 'rest',
        inserts: [insertOf()],
        at: rejectedAt,
        requestId: 'r',
      };
      return {
        id: `rej_${newOwner()}`,
        submission,
        code: 'CONFLICT',
        reason: 'No.',
        attempts: 3,
        rejectedAt,
      };
    }

    const adapterRecordOf = (fields: Partial<AdapterRecord>): AdapterRecord => ({
      adapter: 'slack',
      kind: 'install',
      key: 'T1',
      ownerId: null,
      value: 'sealed',
      expiresAt: null,
      ...fields,
    });

    /** One of everything, with every field other than its default. */
    function everything(): { owner: string; records: TransferRecord[]; tasks: Record<string, Task> } {
      const now = clock.now();
      const user = userOf({
        isAdmin: true,
        isActive: false,
        passwordHash: 'scrypt$1$salt$hash',
        lastLoginAt: now - 5,
        views: [{ id: 'view_1', name: 'Production', key: '4', query: 'q=%23ops' }],
      });
      const metadata = JSON.parse('{"$set":{"a.b":1},"__proto__":2,"":"🛟\\u0000"}') as Metadata;
      const tasks = {
        plain: taskOf(user.id, now - 60_000, { priority: 'low' }),
        repeated: taskOf(user.id, now - 50_000, {
          dedupeKey: 'disk',
          occurrences: 7,
          version: 7,
          lastOccurredAt: now - 10,
          updatedAt: now - 10,
          tags: ['nas', 'ops'],
          metadata,
          source: 'webhook',
          intake: { id: 'int_1', name: 'NAS', deliveryId: 'dlv_9' },
          snoozedUntil: now - 10,
        }),
        pinned: taskOf(user.id, now - 90_000_000, {
          pinned: true,
          expiresAt: now - 1,
          version: 2,
          priority: 'high',
        }),
        done: taskOf(user.id, now - 40_000, { acknowledgedAt: now - 1000, version: 2, dedupeKey: 'gone' }),
        silent: taskOf(user.id, now - 7_200_000, {
          acknowledgedAt: now - 3_600_000,
          dedupeKey: 'quiet',
          reopens: false,
        }),
      };
      return {
        owner: user.id,
        tasks,
        records: [
          { kind: 'user', record: user },
          {
            kind: 'key',
            record: keyOf(user.id, {
              scopes: [],
              expiresAt: now,
              lastUsedAt: now,
              description: 'of a script',
            }),
          },
          { kind: 'key', record: keyOf(user.id, { revokedAt: now - 7 }) },
          ...Object.values(tasks).map(asTask),
          { kind: 'rejected', record: rejectedOf(now - 1) },
          { kind: 'intake', record: intakeOf(user.id, { settings: metadata, lastUsedAt: 5, paused: true }) },
          { kind: 'adapter', record: adapterRecordOf({ ownerId: user.id, expiresAt: now + 60_000 }) },
          { kind: 'adapter', record: adapterRecordOf({ key: 'T2' }) },
          {
            kind: 'push',
            record: {
              ownerId: user.id,
              devices: [deviceOf({ lastUsedAt: now }), deviceOf()],
              rules: { ...DEFAULT_RULES, tags: ['a'], withhold: true },
            },
          },
          { kind: 'secret', record: { id: 'vapid', value: 'v1.x' } },
          {
            kind: 'webhook',
            record: webhookOf(user.id, {
              filter: { priorities: ['high'], intakes: ['in_1'], tags: ['$set'] },
              off: { at: now, reason: 'gone' },
              previous: { encryptedSecret: 'v1.former', until: now + 5 },
              failingSince: now - 5,
              lastDeliveredAt: now - 9,
            }),
          },
          { kind: 'followUps', record: followUpsOf(user.id) },
        ],
      };
    }

    it('adds every record exactly as it was, for every process', async () => {
      const { records } = everything();
      await storage.transfer.importAll(records);
      expect(await exported(second, clock.now())).toEqual(sorted(records));
    });

    it('goes on with what was added as if it had been there all along', async () => {
      const { owner, records, tasks } = everything();
      await storage.transfer.importAll(records);
      const now = clock.now();
      expect(await second.tasks.list({ ownerId: owner, filter: {}, limit: 10, offset: 0, now })).toEqual({
        tasks: [tasks['pinned'], tasks['repeated'], tasks['plain']],
        total: 3,
        statistics: { total: 3, high: 1, normal: 1, low: 1, pinned: 1, snoozed: 0 },
      });
      const again = submissionOf({ ownerId: owner, inserts: [insertOf({ dedupeKey: 'disk' })], at: now });
      expect(await second.tasks.create(again)).toMatchObject({
        outcomes: [{ created: false, task: { id: tasks['repeated']?.id, occurrences: 8 } }],
      });
      const id = tasks['done']?.id as string;
      expect(await second.tasks.listRestorable(owner, now, 10)).toEqual([tasks['done']]);
      expect(await second.tasks.change(owner, [id], (task) => restoreTask(task, now))).toHaveLength(1);
      const gone = submissionOf({ ownerId: owner, inserts: [insertOf({ dedupeKey: 'gone' })], at: now });
      expect(await second.tasks.create(gone)).toMatchObject({ outcomes: [{ created: false, task: { id } }] });
      const quiet = submissionOf({
        ownerId: owner,
        inserts: [insertOf({ dedupeKey: 'quiet', reopens: false })],
        at: now,
      });
      expect(await second.tasks.create(quiet)).toMatchObject({
        outcomes: [{ created: false, task: { id: tasks['silent']?.id, occurrences: 2 } }],
      });
      const expiring = (tasks['plain'] as Task).expiresAt;
      clock.advance(expiring - now);
      expect((await sweepOnce(storage.tasks, expiring, 100)).expired.map((task) => task.id)).toEqual([
        tasks['plain']?.id,
      ]);
      expect((await storage.tasks.statistics(owner, expiring)).low).toBe(0);
    });

    it('finds keys and users that were added, and holds the limit of active keys', async () => {
      const user = userOf({ email: 'ada@example.com' });
      const keys = [keyOf(user.id), keyOf(user.id), keyOf(user.id, { revokedAt: 1 })];
      const records = [
        { kind: 'user', record: user } as const,
        ...keys.map((record) => ({ kind: 'key', record }) as const),
      ];
      for (let time = 0; time < 2; time++) await storage.transfer.importAll(records);
      expect(await second.accounts.findUserByEmail('ada@example.com')).toEqual(user);
      for (const key of keys) expect(await second.accounts.findKeyByHash(key.hash)).toEqual({ key, user });
      expect(await second.accounts.listKeys(user.id)).toHaveLength(2);
      expect(await second.accounts.createKey(keyOf(user.id), 2)).toBe(false);
      expect(await second.accounts.createKey(keyOf(user.id), 3)).toBe(true);
      expect(await second.accounts.revokeKey(user.id, keys[0]?.id as string, clock.now())).toBe(true);
      expect(await second.accounts.createKey(keyOf(user.id), 3)).toBe(true);
    });

    it('finds intakes by their tokens, and holds their limit', async () => {
      const owner = newOwner();
      const [first, other] = [intakeOf(owner), intakeOf(owner)];
      const records = [first, other].map((record) => ({ kind: 'intake', record }) as const);
      for (let time = 0; time < 2; time++) await storage.transfer.importAll(records);
      const hash = first.tokens[0]?.hash as string;
      expect(await second.intakes.findByTokenHash(hash, clock.now())).toEqual(first);
      expect(await second.intakes.create(intakeOf(owner), 2)).toBe(false);
      await second.intakes.change(owner, other.id, (one) => ({ ...one, revokedAt: clock.now() }));
      expect(await second.intakes.create(intakeOf(owner), 2)).toBe(true);
      const thief: TransferRecord = { kind: 'intake', record: intakeOf(owner, { tokens: first.tokens }) };
      await expect(storage.transfer.importAll([thief])).rejects.toMatchObject({ code: 'CONFLICT' });
    });

    it('adds nothing twice, from two processes at once, and completes what was begun', async () => {
      const { records, owner } = everything();
      await storage.transfer.importAll(records.slice(0, 4));
      await Promise.all([storage, second, storage, second].map((store) => store.transfer.importAll(records)));
      expect(await exported(second, clock.now())).toEqual(sorted(records));
      expect((await second.tasks.statistics(owner, clock.now())).total).toBe(3);
      expect((await second.accounts.listKeys(owner)).length).toBe(1);
    });

    it('takes snoozed tasks along: they wake there at their time, and that is told once', async () => {
      const user = userOf();
      await storage.accounts.ensureUser(user);
      const now = clock.now();
      const until = now + 60_000;
      const asleep = taskOf(user.id, now, { snoozedUntil: until, expiresAt: until + 60_000 });
      await storage.transfer.importAll([asTask(asleep)]);
      expect(await exported(second, now)).toContainEqual(asTask(asleep));
      const idsAt = async (at: number) => {
        const query = { ownerId: user.id, filter: {}, limit: 10, offset: 0, now: at };
        return (await second.tasks.list(query)).tasks.map(({ id }) => id);
      };
      expect([await idsAt(until - 1), await idsAt(until)]).toEqual([[], [asleep.id]]);
      expect((await sweepOnce(storage.tasks, until, 10)).woken).toEqual([asleep]);
      expect((await sweepOnce(second.tasks, until, 10)).woken).toEqual([]);
    });

    it('tells webhooks that were added what happens from then on, and holds their limit', async () => {
      const owner = newOwner();
      const webhook = webhookOf(owner);
      await storage.transfer.importAll([{ kind: 'webhook', record: webhook }]);
      await second.tasks.create(submissionOf({ ownerId: owner, inserts: [insertOf()], at: clock.now() }));
      while (await storage.work.moveOn(10));
      expect(await storage.work.list(owner, webhook.id, 10)).toHaveLength(1);
      expect(await second.webhooks.create(webhookOf(owner), 1)).toBe(false);
    });

    it('leaves alone what is there already', async () => {
      const { records, owner, tasks } = everything();
      await storage.transfer.importAll(records);
      const id = tasks['plain']?.id as string;
      await storage.tasks.change(owner, [id], (task) => acknowledgeTask(task, clock.now()));
      await storage.transfer.importAll(records);
      expect(await storage.tasks.get(owner, id, clock.now())).toBeNull();
      expect((await storage.tasks.statistics(owner, clock.now())).total).toBe(2);
    });

    it('refuses what contradicts the store', async () => {
      const user = userOf();
      await storage.accounts.ensureUser(user);
      const other: TransferRecord = { kind: 'user', record: userOf({ email: user.email }) };
      await expect(storage.transfer.importAll([other])).rejects.toMatchObject({ code: 'CONFLICT' });
      const held = taskOf(user.id, clock.now(), { dedupeKey: 'k' });
      await storage.transfer.importAll([asTask(held)]);
      const rival = asTask(taskOf(user.id, clock.now(), { dedupeKey: 'k' }));
      await expect(storage.transfer.importAll([rival])).rejects.toMatchObject({ code: 'CONFLICT' });
    });

    it('gives a dedupe key to a live task whose holder has expired, swept or not', async () => {
      const { user } = await storage.accounts.ensureUser(userOf());
      const before = taskOf(user.id, clock.now(), { dedupeKey: 'k' });
      await storage.transfer.importAll([asTask(before)]);
      clock.advance(before.expiresAt - clock.now());
      const next = taskOf(user.id, clock.now(), { dedupeKey: 'k' });
      await storage.transfer.importAll([asTask(next)]);
      expect(await storage.tasks.get(user.id, next.id, clock.now())).toEqual(next);
      const again = submissionOf({
        ownerId: user.id,
        inserts: [insertOf({ dedupeKey: 'k' })],
        at: clock.now(),
      });
      expect(await storage.tasks.create(again)).toMatchObject({ outcomes: [{ task: { id: next.id } }] });
    });

    it('exports what can be seen or restored at that time, to the millisecond, and no session', async () => {
      const now = clock.now();
      const user = userOf();
      await storage.accounts.ensureUser(user);
      await storage.accounts.createSession(sessionOf(user.id));
      await storage.accounts.createLink('hash', user.id, now + 1000);
      const live = taskOf(user.id, now, { expiresAt: now + 1000 });
      const done = taskOf(user.id, now, { acknowledgedAt: now + 1000 - UNDO_WINDOW_MS });
      const rejected = rejectedOf(now + 1000 - REJECTED_TTL_MS);
      const quiet = taskOf(user.id, now, {
        acknowledgedAt: now - UNDO_WINDOW_MS,
        dedupeKey: 'q',
        reopens: false,
      });
      const silent = { ...quiet, expiresAt: now + 1000 };
      const code = adapterRecordOf({ expiresAt: now + 1000 });
      await storage.transfer.importAll([
        ...[live, done, silent].map(asTask),
        { kind: 'rejected', record: rejected },
        { kind: 'adapter', record: code },
      ]);
      const intake = intakeOf(user.id);
      await storage.intakes.create(intake, 1);
      await storage.intakes.addDeliveries([deliveryTo(intake)]);
      await storage.intakes.change(user.id, intake.id, (one) => ({ ...one, revokedAt: now }));
      const kinds = async (at: number) => (await exported(storage, at)).map(({ kind }) => kind);
      expect(await kinds(now + 999)).toEqual(['adapter', 'rejected', 'task', 'task', 'task', 'user']);
      expect(await kinds(now + 1000)).toEqual(['user']);
    });

    it('exports each of very many once', async () => {
      const owner = newOwner();
      const tasks = Array.from({ length: 1200 }, () => asTask(taskOf(owner, clock.now())));
      for (let from = 0; from < tasks.length; from += 400)
        await storage.transfer.importAll(tasks.slice(from, from + 400));
      expect(await exported(second, clock.now())).toEqual(sorted(tasks));
      expect((await second.tasks.statistics(owner, clock.now())).total).toBe(1200);
    });
  });
}
