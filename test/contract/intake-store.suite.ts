// The promises of the port IntakeStore, for every driver.
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { rotateTokens, type IntakeRecord } from '#core/domain/intake.ts';
import {
  DELIVERY_TTL_MS,
  MAX_DELIVERIES,
  STORED_REVOKED_INTAKES,
  type IntakeStore,
} from '#core/ports/intake-store.ts';
import { createFakeClock, type FakeClock } from '#test/helpers/clock.ts';
import { deliveryTo, intakeOf, newOwner } from '#test/helpers/records.ts';
import type { StorageHarness, StorageUnderTest } from './harness.ts';

const LIMIT = 25;
const HOUR = 3_600_000;
/** What a sender or an adapter may name its things. */
const ODD = JSON.parse('{"$set":{"a.b":1},"__proto__":"c","":"🛟\\u0000","toString":null}') as Record<
  string,
  string
>;

/** Runs the suite on a driver. */
export function describeIntakeStore(name: string, harness: StorageHarness): void {
  describe(`intakes: ${name}`, () => {
    let clock: FakeClock;
    let under: StorageUnderTest;
    let store: IntakeStore;
    let second: IntakeStore;
    let owner: string;

    beforeEach(async () => {
      clock = createFakeClock();
      under = await harness.create(clock);
      store = under.storage.intakes;
      second = (await under.another()).intakes;
      owner = newOwner();
    });
    afterEach(() => under.dispose());

    async function add(fields: Partial<IntakeRecord> = {}): Promise<IntakeRecord> {
      const intake = intakeOf(owner, fields);
      expect(await store.create(intake, LIMIT)).toBe(true);
      return intake;
    }
    const hashOf = (intake: IntakeRecord) => intake.tokens[0]?.hash as string;
    const find = async (hash: string) => (await second.findByTokenHash(hash, clock.now()))?.id ?? null;
    const token = (hash: string) => ({ hash, encrypted: `sealed ${hash}`, until: null });
    const revoke = (intake: IntakeRecord) =>
      store.change(owner, intake.id, (before) => ({ ...before, revokedAt: clock.now() }));

    it('keeps every field, also names that mean something to a database, in every process', async () => {
      const intake = await add({
        tokens: [token('new'), { ...token('old'), until: clock.now() + HOUR }],
        preset: 'github',
        verification: { scheme: 'hmac', options: ODD },
        encryptedSecrets: 'sealed',
        previousSecretUntil: clock.now() + HOUR,
        mapping: { content: '{{ a }}', filter: '' },
        settings: ODD,
        defaults: { priority: 'high', tags: ['ci'], expiryMinutes: 5 },
        events: ['push', 'issues.opened'],
        reopens: false,
        hourlyCap: 7,
        paused: true,
        lastUsedAt: 3,
      });
      const stored = await second.get(owner, intake.id);
      expect(stored).toEqual(intake);
      expect(JSON.stringify([stored?.settings, stored?.verification])).toBe(
        JSON.stringify([intake.settings, intake.verification]),
      );
      expect(await second.list(owner)).toEqual([intake]);
      expect(await second.findByTokenHash('old', clock.now())).toEqual(intake);
    });

    it('shows and changes an intake for its owner alone, the newest first', async () => {
      const [a, b] = [await add(), await add()];
      expect((await second.list(owner)).map(({ id }) => id)).toEqual([b.id, a.id]);
      const rule = vi.fn<(intake: IntakeRecord) => IntakeRecord>((intake) => intake);
      for (const stranger of [newOwner(), '', `${owner}0`]) {
        expect(await store.get(stranger, a.id)).toBeNull();
        expect(await store.list(stranger)).toEqual([]);
        expect(await store.change(stranger, a.id, rule)).toBeNull();
      }
      expect(await store.change(owner, 'int_none', rule)).toBeNull();
      expect(rule).not.toHaveBeenCalled();
    });

    it('holds the limit of those that are not revoked, however many come at once', async () => {
      const answers = await Promise.all(
        Array.from({ length: 6 }, (_, index) =>
          (index % 2 === 0 ? store : second).create(intakeOf(owner), 3),
        ),
      );
      expect(answers.filter(Boolean)).toHaveLength(3);
      const all = await second.list(owner);
      expect(all).toHaveLength(3);
      expect(await store.create(intakeOf(newOwner()), 1)).toBe(true);
      await revoke(all[0] as IntakeRecord);
      expect(await second.create(intakeOf(owner), 3)).toBe(true);
      expect(await second.create(intakeOf(owner), 3)).toBe(false);
    });

    it('finds an intake by its good tokens alone', async () => {
      const intake = await add();
      const before = hashOf(intake);
      expect(await find(before)).toBe(intake.id);
      expect(await find('no token')).toBeNull();
      await store.change(owner, intake.id, (one) => ({
        ...one,
        tokens: rotateTokens(one.tokens, [token('fresh')], HOUR, clock.now()),
      }));
      clock.advance(HOUR - 1);
      expect([await find(before), await find('fresh')]).toEqual([intake.id, intake.id]);
      clock.advance(1);
      expect([await find(before), await find('fresh')]).toEqual([null, intake.id]);
      await store.change(owner, intake.id, (one) => ({ ...one, tokens: [token('last')] }));
      expect([await find('fresh'), await find('last')]).toEqual([null, intake.id]);
    });

    it('never gives a token to two intakes', async () => {
      const [first, other] = [await add(), await add()];
      await expect(store.create(intakeOf(owner, { tokens: first.tokens }), LIMIT)).rejects.toMatchObject({
        code: 'CONFLICT',
      });
      const steal = (one: IntakeRecord) => ({ ...one, tokens: first.tokens });
      await expect(second.change(owner, other.id, steal)).rejects.toMatchObject({ code: 'CONFLICT' });
      expect([await find(hashOf(first)), await find(hashOf(other))]).toEqual([first.id, other.id]);
      expect(await second.list(owner)).toEqual([other, first]);
    });

    it('knows a revoked intake and its tokens no more', async () => {
      const intake = await add();
      expect(await revoke(intake)).toMatchObject({ revokedAt: clock.now() });
      expect(await second.get(owner, intake.id)).toBeNull();
      expect(await second.list(owner)).toEqual([]);
      expect(await find(hashOf(intake))).toBeNull();
      expect(await revoke(intake)).toBeNull();
    });

    it('stores the latest revoked intakes of each owner, and all others, however many were made', async () => {
      const before = owner;
      await revoke(await add());
      owner = newOwner();
      const active = await add();
      for (let n = 0; n < STORED_REVOKED_INTAKES + 5; n++) {
        clock.advance(1);
        await revoke(await add());
      }
      const latest = await add();
      const lines = await under.dump();
      const tableOf = (name: string) => lines.filter((line) => line.startsWith(`${name} `));
      const ofOwner = (id: string) => tableOf('intakes').filter((line) => line.includes(id));
      expect(ofOwner(owner)).toHaveLength(STORED_REVOKED_INTAKES + 2);
      expect(ofOwner(before)).toHaveLength(1);
      expect(tableOf('intake_tokens')).toHaveLength(STORED_REVOKED_INTAKES + 3);
      expect((await second.list(owner)).map(({ id }) => id)).toEqual([latest.id, active.id]);
    });

    it('checks more tokens of intakes at once than one operation does', async () => {
      const hashes = Array.from({ length: 1200 }, (_, n) => token(`former ${n}`));
      const intake = await add({ tokens: hashes });
      await revoke(intake);
      clock.advance(DELIVERY_TTL_MS + HOUR);
      await store.purge(clock.now());
      expect((await under.dump()).filter((line) => line.startsWith('intake_tokens '))).toEqual([]);
    });

    it('loses no change when many come at once, and stores nothing when the rule returns the same', async () => {
      const intake = await add({ hourlyCap: 0 });
      await Promise.all(
        Array.from({ length: 8 }, (_, index) =>
          (index % 2 === 0 ? store : second).change(owner, intake.id, (one) => ({
            ...one,
            hourlyCap: (one.hourlyCap ?? 0) + 1,
          })),
        ),
      );
      expect(await second.change(owner, intake.id, (one) => one)).toEqual({ ...intake, hourlyCap: 8 });
    });

    it('notes the last use before long, and never an earlier one', async () => {
      const intake = await add();
      for (const at of [clock.now() - 5, clock.now(), clock.now() - 4]) await store.touch(intake.id, at);
      await store.touch('int_none', clock.now());
      const lastUsedAt = async () => (await second.get(owner, intake.id))?.lastUsedAt;
      await vi.waitFor(async () => expect(await lastUsedAt()).toBe(clock.now()), { timeout: 60_000 });
    });

    describe('deliveries', () => {
      it('are kept with every field, replaced by their id, and changed as far as was asked', async () => {
        const intake = await add();
        const delivery = deliveryTo(intake, {
          at: clock.now(),
          verdict: 'failed',
          reason: 'No content.',
          event: 'push',
          taskIds: ['task_1'],
          notes: ODD,
          request: {
            headers: ODD,
            contentType: 'application/json',
            body: '{"a":"\u0000🛟"}',
            encoding: 'text',
            clipped: false,
          },
        });
        await store.addDeliveries([{ ...delivery, verdict: 'ignored' }]);
        await store.addDeliveries([delivery]);
        const stored = async () => second.getDelivery(owner, intake.id, delivery.id);
        expect(JSON.stringify(await stored())).toBe(JSON.stringify(delivery));
        expect(await second.listDeliveries(owner, intake.id, 10)).toEqual([delivery]);
        await store.changeDelivery(delivery.id, { verdict: 'accepted', reason: null });
        await store.changeDelivery(delivery.id, { taskIds: ['task_2', 'task_3'] });
        await store.changeDelivery('del_none', { verdict: 'failed' });
        expect(await stored()).toEqual({
          ...delivery,
          verdict: 'accepted',
          reason: null,
          taskIds: ['task_2', 'task_3'],
        });
      });

      it('are shown to the owner of their intake alone', async () => {
        const [intake, other] = [await add(), await add()];
        const delivery = deliveryTo(intake);
        await store.addDeliveries([delivery]);
        for (const [who, where] of [
          [newOwner(), intake.id],
          [owner, other.id],
        ] as const) {
          expect(await second.listDeliveries(who, where, 10)).toEqual([]);
          expect(await second.getDelivery(who, where, delivery.id)).toBeNull();
        }
      });

      it('are the latest of each intake, and no more', async () => {
        const [intake, other] = [await add(), await add()];
        const first = deliveryTo(other);
        await store.addDeliveries([first]);
        const all = Array.from({ length: MAX_DELIVERIES + 3 }, () => deliveryTo(intake));
        for (const delivery of all) await store.addDeliveries([delivery]);
        const latest = all.map(({ id }) => id).toReversed();
        const ids = async (limit: number) =>
          (await second.listDeliveries(owner, intake.id, limit)).map(({ id }) => id);
        expect(await ids(2)).toEqual(latest.slice(0, 2));
        expect(await ids(1000)).toEqual(latest.slice(0, MAX_DELIVERIES));
        await store.addDeliveries(Array.from({ length: 10 }, () => deliveryTo(intake)));
        expect(await second.getDelivery(owner, intake.id, latest.at(-1) as string)).toBeNull();
        expect(await second.listDeliveries(owner, other.id, 10)).toEqual([first]);
      });
    });

    it('has no delivery of a revoked intake left, and takes none', async () => {
      const [gone, other] = [await add(), await add()];
      const [before, stays, late] = [deliveryTo(gone), deliveryTo(other), deliveryTo(gone)];
      await store.addDeliveries([before, stays]);
      await revoke(gone);
      await second.addDeliveries([late, deliveryTo(gone)]);
      expect(await second.listDeliveries(owner, gone.id, 10)).toEqual([]);
      expect(await store.getDelivery(owner, gone.id, late.id)).toBeNull();
      expect(await second.listDeliveries(owner, other.id, 10)).toEqual([stays]);
    });

    it('forgets deliveries and revoked intakes after 7 days, and nothing else', async () => {
      const [intake, gone] = [await add(), await add()];
      const old = deliveryTo(intake, { at: clock.now() });
      const late = deliveryTo(intake, { at: clock.now() + 2 });
      await store.addDeliveries([old]);
      await store.addDeliveries([late]);
      await revoke(gone);
      clock.advance(DELIVERY_TTL_MS - 1);
      await store.purge(clock.now());
      expect(await second.listDeliveries(owner, intake.id, 10)).toEqual([late, old]);
      const again = { ...intakeOf(owner), tokens: gone.tokens };
      await expect(store.create(again, LIMIT)).rejects.toMatchObject({ code: 'CONFLICT' });
      clock.advance(2);
      await store.purge(clock.now());
      expect(await second.listDeliveries(owner, intake.id, 10)).toEqual([late]);
      expect(await find(hashOf(intake))).toBe(intake.id);
      // Nothing is left of the revoked one, so that even its token is free.
      expect(await store.create(again, LIMIT)).toBe(true);
      expect(await find(hashOf(gone))).toBe(again.id);
    });
  });
}
