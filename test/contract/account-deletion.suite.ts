// What the deletion of an account promises, on every driver: nothing of the owner stays, wherever it was cut
// off and taken up again, and nobody else loses anything.
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createLocalEventBus } from '#adapters/memory/event-bus.ts';
import { isAdministrator, type UserRecord } from '#core/domain/account.ts';
import { newWork } from '#core/domain/work.ts';
import type { Storage } from '#core/ports/storage.ts';
import { createAccountDeletion } from '#core/services/account/deletion.ts';
import { createEndWaysIn } from '#core/services/address-proof.ts';
import { createUsers } from '#core/services/users.ts';
import { createFakeClock, type FakeClock } from '#test/helpers/clock.ts';
import {
  deliveryTo,
  deviceOf,
  followUpsOf,
  insertOf,
  intakeOf,
  keyOf,
  sessionOf,
  userOf,
  webhookOf,
} from '#test/helpers/records.ts';
import { submissionOf } from '#test/helpers/submissions.ts';
import type { StorageHarness, StorageUnderTest } from './harness.ts';

const SETTLED_MS = 31_000;

/** Runs the suite on a driver. */
export function describeAccountDeletion(name: string, harness: StorageHarness): void {
  describe(`deleting an account: ${name}`, () => {
    let clock: FakeClock;
    let under: StorageUnderTest;
    let storage: Storage;

    beforeEach(async () => {
      clock = createFakeClock();
      under = await harness.create(clock);
      storage = under.storage;
    });
    afterEach(() => under.dispose());

    function deletionOn(stores: Storage) {
      const bus = createLocalEventBus();
      const { accounts: store, ownerData } = stores;
      const endWaysIn = createEndWaysIn({ ...stores, accessRecords: [], bus, clock });
      const accounts = { endWaysIn, find: (email: string) => store.findUserByEmail(email) };
      const prove = (user: UserRecord) => Promise.resolve({ user, shutOut: false });
      const users = createUsers({ accounts: { ...accounts, prove } as never, store, bus, clock });
      return createAccountDeletion({ store, ownerData, accounts, users, bus, clock, guestQueue: null });
    }

    /** A user with one of everything that is stored; `marks` are in every record of it, and in no other. */
    async function settler(fields: Partial<UserRecord> = {}): Promise<{ user: UserRecord; marks: string[] }> {
      const now = clock.now();
      const views = [{ id: 'view_1', name: 'Ops', key: null, query: 'q=ops' }];
      const { user } = await storage.accounts.ensureUser(userOf({ views, ...fields }));
      const { id: ownerId } = user;
      const session = sessionOf(ownerId);
      await storage.accounts.createSession(session);
      await storage.accounts.createLink(`link of ${ownerId}`, ownerId, now + 60_000);
      const [key, revoked] = [keyOf(ownerId), keyOf(ownerId)];
      for (const one of [key, revoked]) await storage.accounts.createKey(one, 25);
      await storage.accounts.revokeKey(ownerId, revoked.id, now);
      const [intake, former] = [intakeOf(ownerId), intakeOf(ownerId)];
      for (const one of [intake, former]) {
        await storage.intakes.create(one, 100);
        await storage.intakes.addDeliveries([deliveryTo(one)]);
      }
      await storage.intakes.change(ownerId, former.id, (one) => ({ ...one, revokedAt: now }));
      const webhook = webhookOf(ownerId);
      await storage.webhooks.create(webhook, 10);
      const followUps = followUpsOf(ownerId);
      await storage.followUps.change(ownerId, () => followUps);
      const device = deviceOf();
      await storage.push.change(ownerId, (record) => ({ ...record, devices: [device] }));
      const content = `said by ${ownerId}`;
      const tasks = await Promise.all(
        ['user', 'key', 'intake', 'adapter:slack'].map(async (kind, index) => {
          const scopes = { user: ownerId, key: key.id, intake: intake.id, 'adapter:slack': ownerId };
          const scope = `${kind}:${scopes[kind as keyof typeof scopes]}`;
          const claim = { scope, key: `k${index}`, fingerprint: kind === 'user' ? 'f' : null };
          const insert = insertOf({ content, priority: 'high', dedupeKey: kind === 'key' ? 'disk' : null });
          await storage.tasks.create(submissionOf({ ownerId, inserts: [insert], at: now, claim }));
          return insert.id;
        }),
      );
      const again = insertOf({ content, dedupeKey: 'disk' });
      await storage.tasks.create(submissionOf({ ownerId, inserts: [again], at: now }));
      await storage.rejected.add({
        id: `rej of ${ownerId}`,
        code: 'CONFLICT',
        reason: 'No.',
        attempts: 1,
        rejectedAt: now,
        submission: submissionOf({ ownerId, inserts: [insertOf({ content })], at: now }),
      });
      const taskId = tasks[0] as string;
      await storage.push.addPushed({ ownerId, taskId, devices: [device.id], until: now + 60_000 });
      await storage.push.hold({ ownerId, taskIds: tasks, dueAt: now + 60_000 });
      for (const kind of ['code', 'account', 'channel'])
        await storage.adapterData.put({
          adapter: 'slack',
          kind,
          key: `${kind} of ${ownerId}`,
          ownerId,
          value: 'x',
          expiresAt: null,
        });
      while (await storage.work.moveOn(100));
      const about = { id: 'late', kind: 'x', ownerId, lane: `lane of ${ownerId}`, key: 'k', sequence: 0 };
      await storage.work.add([newWork({ ...about, payload: '{}' }, now)]);
      const steps = followUps.escalations.flatMap((one) => one.steps.map((step) => step.id));
      const ids = [session.id, key.id, revoked.id, intake.id, former.id, webhook.id, device.id];
      return { user, marks: [ownerId, user.email, ...ids, ...tasks, again.id, ...steps] };
    }

    const leftOf = async (marks: readonly string[]) =>
      (await under.dump()).filter((line) => marks.some((mark) => line.includes(mark)));
    const tableOf = (line: string) => line.slice(0, line.indexOf(' '));

    it('leaves nothing of its owner in any table, and all of the others', async () => {
      const other = await settler();
      const { user, marks } = await settler();
      const before = (await leftOf(other.marks)).toSorted();
      const tables = new Set((await leftOf(marks)).map(tableOf));
      // Else the test would look for too little.
      expect(tables.size).toBeGreaterThan(17);
      await storage.ownerData.erase(user.id);
      expect(await leftOf(marks)).toEqual([]);
      expect((await leftOf(other.marks)).toSorted()).toEqual(before);
    });

    it('leaves no answer to what came by a key or an intake that is stored no more', async () => {
      const { user, marks } = await settler();
      for (const scope of ['key:key_of_last_week', 'intake:in_of_last_week']) {
        const inserts = [insertOf({ content: `said by ${user.id}` })];
        const claim = { scope, key: 'k', fingerprint: 'f' };
        await storage.tasks.create(submissionOf({ ownerId: user.id, inserts, at: clock.now(), claim }));
      }
      await storage.ownerData.erase(user.id);
      expect(await leftOf(marks)).toEqual([]);
    });

    it('frees the address for a new account, of which nothing is stored, in every process', async () => {
      const { user } = await settler();
      const second = await under.another();
      expect((await second.tasks.statistics(user.id, clock.now())).total).toBe(4);
      await storage.ownerData.erase(user.id);
      const again = userOf({ email: user.email });
      expect(await second.accounts.ensureUser(again)).toMatchObject({ created: true });
      const { id: ownerId } = again;
      for (const store of [second, storage]) {
        const inserts = [insertOf({ content: 'mine' })];
        await store.tasks.create(submissionOf({ ownerId, inserts, at: clock.now() }));
      }
      const { tasks } = await second.tasks.list({
        ownerId,
        filter: {},
        limit: 10,
        offset: 0,
        now: clock.now(),
      });
      expect(tasks.map((task) => [task.ownerId, task.content])).toEqual([
        [ownerId, 'mine'],
        [ownerId, 'mine'],
      ]);
    });

    it('removes more than one operation does', async () => {
      const { user, marks } = await settler();
      for (let made = 0; made < 3; made++) {
        const inserts = Array.from({ length: 400 }, () => insertOf({ content: `said by ${user.id}` }));
        await storage.tasks.create(submissionOf({ ownerId: user.id, inserts, at: clock.now() }));
      }
      await storage.ownerData.erase(user.id);
      expect(await leftOf(marks)).toEqual([]);
    });

    it('goes on where the removal was cut off', async () => {
      for (const turns of [0, 3, 10, 30]) {
        const { user, marks } = await settler();
        const dying = await under.another();
        const cut = dying.ownerData.erase(user.id).catch(() => {});
        for (let turn = 0; turn < turns; turn++) await new Promise((resolve) => setImmediate(resolve));
        await dying.close();
        await cut;
        await storage.ownerData.erase(user.id);
        expect(await leftOf(marks)).toEqual([]);
      }
    });

    it('ends every way in at once, and removes what is stored once all that was under way has ended', async () => {
      const { user, marks } = await settler();
      await deletionOn(storage).delete(user, { confirm: user.email });
      const { accounts } = storage;
      expect(await accounts.listBeingDeleted()).toMatchObject([{ id: user.id, deletingAt: clock.now() }]);
      expect(await accounts.listKeys(user.id)).toEqual([]);
      expect(await storage.intakes.list(user.id)).toEqual([]);
      expect(await storage.webhooks.list(user.id)).toEqual([]);
      expect(await deletionOn(storage).finish()).toBe(0);
      clock.advance(SETTLED_MS);
      expect(await deletionOn(storage).finish()).toBe(1);
      expect(await leftOf(marks)).toEqual([]);
    });

    it('is finished by another process wherever the one that began has died, or was never begun', async () => {
      await settler({ isAdmin: true });
      let calls = 0;
      let outcomes = { undone: 0, finished: 0 };
      for (let isCutOff = true; isCutOff; calls += calls < 5 ? 1 : 4) {
        const { user, marks } = await settler({ isAdmin: true });
        isCutOff = await deletionOn(dyingAfter(storage, calls))
          .delete(user, { confirm: user.email })
          .then(
            () => false,
            () => true,
          );
        clock.advance(SETTLED_MS);
        await deletionOn(storage).finish();
        if ((await storage.accounts.getUser(user.id)) === null) {
          outcomes = { ...outcomes, finished: outcomes.finished + 1 };
          expect(await leftOf(marks)).toEqual([]);
        } else {
          outcomes = { ...outcomes, undone: outcomes.undone + 1 };
          expect(await storage.accounts.listKeys(user.id)).toHaveLength(1);
        }
      }
      expect(outcomes.undone).toBeGreaterThan(0);
      expect(outcomes.finished).toBeGreaterThan(3);
    });

    it('leaves an administrator when several leave at once', async () => {
      const admins = await Promise.all([settler({ isAdmin: true }), settler({ isAdmin: true })]);
      const deleted = await Promise.allSettled(
        admins.map(({ user }) => deletionOn(storage).delete(user, { confirm: user.email })),
      );
      const refused = deleted.filter(({ status }) => status === 'rejected');
      expect(refused.length).toBeGreaterThan(0);
      const left = await storage.accounts.listUsers();
      expect(left.some((user) => isAdministrator(user) && user.deletingAt === undefined)).toBe(true);
    });

    it('of the last administrator that was cut off before it was refused leaves the account as it was', async () => {
      const { user } = await settler({ isAdmin: true });
      await storage.accounts.changeUser(user.id, (one) => ({ ...one, deletingAt: clock.now() }));
      clock.advance(SETTLED_MS);
      expect(await deletionOn(storage).finish()).toBe(0);
      expect(await storage.accounts.getUser(user.id)).toEqual(user);
      expect(await storage.accounts.listKeys(user.id)).toHaveLength(1);
    });
  });
}

/** The storage, of which every call but the first so many fails, as when the process has ended. */
function dyingAfter(storage: Storage, calls: number): Storage {
  let made = 0;
  const dying = <T extends object>(store: T): T =>
    new Proxy(store, {
      get(target, name, receiver) {
        const method: unknown = Reflect.get(target, name, receiver);
        if (typeof method !== 'function') return method;
        return (...args: unknown[]) => {
          if (made++ >= calls) return Promise.reject(new Error('the process has ended'));
          return Reflect.apply(method, target, args) as unknown;
        };
      },
    });
  const { accounts, intakes, adapterData, push, webhooks, work, followUps, ownerData, ...others } = storage;
  const stores = { accounts, intakes, adapterData, push, webhooks, work, followUps, ownerData };
  const all = Object.fromEntries(Object.entries(stores).map(([name, store]) => [name, dying(store)]));
  return { ...others, ...(all as typeof stores) };
}
