// What proving an address promises, on every driver: a user who held it without proof loses everything, all
// of it also after a crash at any point and a second attempt, and nobody else loses anything.
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { isProven, type UserRecord } from '#core/domain/account.ts';
import { LINK_KINDS, SLACK } from '#adapters/ingestion/slack/records/link-records.ts';
import { newWork } from '#core/domain/work.ts';
import type { BusEvent } from '#core/ports/event-bus.ts';
import type { Storage } from '#core/ports/storage.ts';
import { createProve } from '#core/services/address-proof.ts';
import { createLocalEventBus } from '#adapters/memory/event-bus.ts';
import { createFakeClock, type FakeClock } from '#test/helpers/clock.ts';
import {
  deviceOf,
  intakeOf,
  keyOf,
  sessionOf,
  userOf,
  webhookOf,
  followUpsOf,
} from '#test/helpers/records.ts';
import type { StorageHarness, StorageUnderTest } from './harness.ts';

type Stores = Pick<
  Storage,
  'accounts' | 'intakes' | 'adapterData' | 'push' | 'webhooks' | 'followUps' | 'work'
>;

/** Runs the suite on a driver. */
export function describeProof(name: string, harness: StorageHarness): void {
  describe(`proving an address: ${name}`, () => {
    let clock: FakeClock;
    let under: StorageUnderTest;
    let storage: Storage;
    let heard: BusEvent[];
    /** The webhook of each user. */
    const lanes = new Map<string, string>();

    beforeEach(async () => {
      clock = createFakeClock();
      under = await harness.create(clock);
      storage = under.storage;
      heard = [];
    });
    afterEach(() => under.dispose());

    function proveOn(stores: Stores): ReturnType<typeof createProve> {
      const bus = createLocalEventBus();
      bus.subscribe((event) => heard.push(event));
      return createProve({
        accounts: stores.accounts,
        intakes: stores.intakes,
        adapterData: stores.adapterData,
        push: stores.push,
        webhooks: stores.webhooks,
        followUps: stores.followUps,
        work: stores.work,
        accessRecords: [LINK_KINDS.code, LINK_KINDS.account].map((kind) => ({ adapter: SLACK, kind })),
        bus,
        clock,
      });
    }

    /** A user with one of everything that lets somebody in. */
    async function holder(fields: Partial<UserRecord>): Promise<UserRecord> {
      const { accounts, intakes, adapterData } = storage;
      const { user } = await accounts.ensureUser(userOf(fields));
      await accounts.createSession(sessionOf(user.id));
      await accounts.createKey(keyOf(user.id), 25);
      await accounts.createKey(keyOf(user.id), 25);
      await intakes.create(intakeOf(user.id), 100);
      await storage.push.change(user.id, (record) => ({ ...record, devices: [deviceOf()] }));
      const webhook = webhookOf(user.id);
      await storage.webhooks.create(webhook, 10);
      lanes.set(user.id, webhook.id);
      const about = { id: 'evt_1', kind: 'webhook', ownerId: user.id, lane: webhook.id, key: 'task_1' };
      await storage.work.add([newWork({ ...about, sequence: 1, payload: '{}' }, clock.now())]);
      await storage.followUps.change(user.id, (before) => ({ ...before, ...followUpsOf(user.id) }));
      for (const kind of [LINK_KINDS.code, LINK_KINDS.account])
        await adapterData.put({
          adapter: SLACK,
          kind,
          key: `${kind} of ${user.id}`,
          ownerId: user.id,
          value: '{}',
          expiresAt: null,
        });
      return user;
    }

    /** What still lets somebody in. */
    async function waysIn({ id }: UserRecord): Promise<Record<string, unknown>> {
      const { accounts, intakes, adapterData } = storage;
      const slack = (kind: string) => adapterData.list(SLACK, kind, clock.now(), id);
      const user = await accounts.getUser(id);
      return {
        password: user?.passwordHash ?? null,
        isAdmin: user?.isAdmin,
        keys: (await accounts.listKeys(id)).length,
        intakes: (await intakes.list(id)).length,
        webhooks: (await storage.webhooks.list(id)).length,
        deliveries: (await storage.work.list(id, lanes.get(id) ?? '', 10)).length,
        escalations: (await storage.followUps.get(id))?.escalations.length ?? 0,
        digest: (await storage.followUps.get(id))?.digest ?? null,
        codes: (await slack(LINK_KINDS.code)).length,
        links: (await slack(LINK_KINDS.account)).length,
        devices: (await storage.push.get(id))?.devices.length,
      };
    }

    const NONE = {
      password: null,
      isAdmin: false,
      keys: 0,
      intakes: 0,
      webhooks: 0,
      deliveries: 0,
      escalations: 0,
      digest: null,
      codes: 0,
      links: 0,
      devices: 0,
    };
    const unproven = {
      authProvider: 'email',
      emailVerified: false,
      isAdmin: true,
      passwordHash: 'scrypt$1$salt$hash',
    } as const;

    it('ends every way in of the user who held it without proof, and tells every process', async () => {
      const user = await holder(unproven);
      const session = sessionOf(user.id);
      await storage.accounts.createSession(session);
      expect(await proveOn(storage)(user)).toMatchObject({ shutOut: true, user: { emailVerified: true } });
      expect(await waysIn(user)).toEqual(NONE);
      expect((await storage.accounts.getSession(session.id))?.session.revokedAt).toBe(clock.now());
      expect(heard).toContainEqual({ kind: 'access', userId: user.id });
    });

    it('gives name and rights to the person who proved it, and only then', async () => {
      const user = await holder(unproven);
      const prove = proveOn(storage);
      const { user: proven } = await prove(user, { name: 'Ann', isAdmin: true });
      expect(proven).toMatchObject({ name: 'Ann', isAdmin: true, authProvider: 'link' });
      await storage.accounts.createKey(keyOf(user.id), 25);
      expect(await prove(proven, { name: 'Eve' })).toEqual({ user: proven, shutOut: false });
      // What was read before it was proven is looked at anew.
      expect(await prove(user)).toEqual({ user: proven, shutOut: false });
      expect(await waysIn(user)).toMatchObject({ keys: 1 });
    });

    it('takes nothing from anybody whose address was proven', async () => {
      const others = [await holder({}), await holder({ authProvider: 'email', emailVerified: true })];
      const before = await Promise.all(others.map(waysIn));
      const prove = proveOn(storage);
      for (const other of others) expect(await prove(other)).toMatchObject({ shutOut: false });
      await prove(await holder(unproven));
      expect(await Promise.all(others.map(waysIn))).toEqual(before);
    });

    it('is done whole by the next attempt, wherever the one before was cut off', async () => {
      for (let cut = 0; ; cut++) {
        const user = await holder(unproven);
        const died = await proveOn(dyingAfter(storage, cut))(user).then(
          () => false,
          () => true,
        );
        if (!died) break;
        const after = await storage.accounts.getUser(user.id);
        expect([cut, after !== null && isProven(after)]).toEqual([cut, false]);
        expect(after?.isAdmin).toBe(cut === 0);
        expect(await proveOn(storage)(user)).toMatchObject({ shutOut: true });
        expect(await waysIn(user)).toEqual(NONE);
      }
    });
  });
}

/** The stores of a process that ends before its call number `calls`. */
function dyingAfter(storage: Storage, calls: number): Stores {
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
  return {
    accounts: dying(storage.accounts),
    intakes: dying(storage.intakes),
    adapterData: dying(storage.adapterData),
    push: dying(storage.push),
    webhooks: dying(storage.webhooks),
    work: dying(storage.work),
    followUps: dying(storage.followUps),
  };
}
