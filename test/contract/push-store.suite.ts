// The promises of the ports PushStore and SecretStore, for every driver.
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { closeWorkId, PUSH_LEASE_MS, pushLane, raiseWorkId, showWorkId } from '#core/domain/push-work.ts';
import { acknowledgeTask, snoozeTask } from '#core/domain/task.ts';
import { DEFAULT_RULES, MAX_HELD_TASKS, type PushRecord } from '#core/domain/push.ts';
import type { Storage } from '#core/ports/storage.ts';
import { createFakeClock, type FakeClock } from '#test/helpers/clock.ts';
import { deviceOf, insertOf, newOwner } from '#test/helpers/records.ts';
import { submissionOf } from '#test/helpers/submissions.ts';
import type { StorageHarness, StorageUnderTest } from './harness.ts';

const LEASE_MS = 1000;

/** Runs the suite on a driver. */
export function describePushStore(name: string, harness: StorageHarness): void {
  describe(`what is stored for pushes: ${name}`, () => {
    let clock: FakeClock;
    let under: StorageUnderTest;
    let first: Storage;
    let second: Storage;

    beforeEach(async () => {
      clock = createFakeClock();
      under = await harness.create(clock);
      first = under.storage;
      second = await under.another();
    });
    afterEach(() => under.dispose());

    const add =
      (...devices: PushRecord['devices']) =>
      (record: PushRecord): PushRecord => ({ ...record, devices: [...record.devices, ...devices] });
    const devicesOf = async (ownerId: string) => (await second.push.get(ownerId))?.devices ?? [];

    it('begins with no device and no rules, and stores what a rule makes of that, for every process', async () => {
      const ownerId = newOwner();
      expect(await second.push.get(ownerId)).toBeNull();
      const device = deviceOf({ name: 'é🛟', lastUsedAt: 5 });
      const rules = { ...DEFAULT_RULES, tags: ['$a.b'], intakes: [] };
      const { record: changed, takenFrom } = await first.push.change(ownerId, (record) => {
        expect(record).toEqual({ ownerId, devices: [], rules: null });
        return { ...record, devices: [device], rules };
      });
      expect(changed).toEqual({ ownerId, devices: [device], rules });
      expect(takenFrom).toEqual([]);
      expect(await second.push.get(ownerId)).toEqual(changed);
      expect(await second.push.change(ownerId, (record) => record)).toEqual({ record: changed, takenFrom });
      expect(await second.push.get(newOwner())).toBeNull();
    });

    it('has the work of a push with the change that wants one: of what the rules let through, with a device', async () => {
      const [ada, none] = [newOwner(), newOwner()];
      await first.push.change(ada, add(deviceOf()));
      const make = async (ownerId: string, priority: 'high' | 'normal') => {
        const insert = insertOf({ priority });
        await first.tasks.create(submissionOf({ ownerId, inserts: [insert], at: clock.now() }));
        return insert.id;
      };
      const workOf = async (ownerId: string, id: string) => {
        while (await first.work.moveOn(200));
        return first.work.get(ownerId, pushLane(ownerId), id);
      };
      const id = await make(ada, 'high');
      const created = { status: 'waiting', kind: 'push', dueAt: clock.now() + PUSH_LEASE_MS };
      expect(await workOf(ada, showWorkId({ id }, null))).toMatchObject(created);
      expect(await workOf(ada, showWorkId({ id: await make(ada, 'normal') }, null))).toBeNull();
      expect(await workOf(none, showWorkId({ id: await make(none, 'high') }, null))).toBeNull();

      const wakesAt = clock.now() + 3_600_000;
      const now = clock.now();
      const [snoozed] = await first.tasks.change(ada, [id], (task) => snoozeTask(task, wakesAt, now));
      const version = snoozed?.after.version ?? 0;
      const woken = { status: 'waiting', dueAt: wakesAt + PUSH_LEASE_MS };
      expect(await workOf(ada, closeWorkId({ id, version }))).toMatchObject({ status: 'waiting' });
      expect(await workOf(ada, showWorkId({ id }, wakesAt))).toMatchObject(woken);
      await first.tasks.change(ada, [id], (task) => acknowledgeTask(task, now));
      expect(await workOf(ada, closeWorkId({ id, version: version + 1 }))).toMatchObject({ kind: 'push' });

      await first.push.change(ada, (record) => ({ ...record, devices: [] }));
      expect(await workOf(ada, showWorkId({ id: await make(ada, 'high') }, null))).toBeNull();
    });

    it('has the work of a push with the repeat that raises or wakes a task, and with no other repeat', async () => {
      const ada = newOwner();
      await first.push.change(ada, add(deviceOf()));
      const report = async (dedupeKey: string, priority: 'high' | 'normal') => {
        const insert = insertOf({ dedupeKey, priority });
        const done = await first.tasks.create(
          submissionOf({ ownerId: ada, inserts: [insert], at: clock.now() }),
        );
        return (done.kind === 'done' ? done.outcomes[0]?.task.id : undefined) ?? '';
      };
      const raised = async (id: string) => {
        while (await second.work.moveOn(200));
        return second.work.get(ada, pushLane(ada), raiseWorkId({ id }));
      };
      const low = await report('raised', 'normal');
      await report('raised', 'normal');
      expect(await raised(low)).toBeNull();
      await report('raised', 'high');
      const work = { status: 'waiting', kind: 'push', dueAt: clock.now() + PUSH_LEASE_MS };
      expect(await raised(low)).toMatchObject(work);
      const high = await report('high', 'high');
      await report('high', 'high');
      expect(await raised(high)).toBeNull();
      const asleep = await report('woken', 'normal');
      const now = clock.now();
      await first.tasks.change(ada, [asleep], (task) => snoozeTask(task, now + 3_600_000, now));
      await report('woken', 'high');
      expect(await raised(asleep)).toMatchObject(work);
    });

    it('has the work that closes a task which only earlier rules let through, and none that shows it', async () => {
      const ada = newOwner();
      await first.push.change(ada, add(deviceOf()));
      const make = async () => {
        const insert = insertOf({ priority: 'high' });
        await first.tasks.create(submissionOf({ ownerId: ada, inserts: [insert], at: clock.now() }));
        return insert.id;
      };
      const workOf = async (id: string) => {
        while (await first.work.moveOn(200));
        return first.work.get(ada, pushLane(ada), id);
      };
      const [over, asleep] = [await make(), await make()];
      const chosen = {
        rules: { ...DEFAULT_RULES, priorities: ['low' as const] },
        rulesSince: clock.advance(1),
      };
      await first.push.change(ada, (record) => ({ ...record, ...chosen }));
      expect(await second.push.get(ada)).toMatchObject(chosen);
      const now = clock.advance(1);
      const later = await make();
      for (const id of [over, later])
        await first.tasks.change(ada, [id], (task) => acknowledgeTask(task, now));
      await first.tasks.change(ada, [asleep], (task) => snoozeTask(task, now + 3_600_000, now));
      expect(await workOf(closeWorkId({ id: over, version: 2 }))).toMatchObject({ status: 'waiting' });
      expect(await workOf(closeWorkId({ id: later, version: 2 }))).toBeNull();
      expect(await workOf(closeWorkId({ id: asleep, version: 2 }))).toMatchObject({ status: 'waiting' });
      expect(await workOf(showWorkId({ id: asleep }, now + 3_600_000))).toBeNull();
    });

    it('loses no change of many at once', async () => {
      const ownerId = newOwner();
      const devices = Array.from({ length: 12 }, () => deviceOf());
      await Promise.all(
        devices.map((device, index) => (index % 2 === 0 ? first : second).push.change(ownerId, add(device))),
      );
      expect(new Set((await devicesOf(ownerId)).map(({ id }) => id))).toEqual(
        new Set(devices.map(({ id }) => id)),
      );
    });

    it('names the owners that have a device, and those alone', async () => {
      const [none, ada, bob] = [newOwner(), newOwner(), newOwner()];
      await first.push.change(none, (record) => ({ ...record, rules: DEFAULT_RULES }));
      await first.push.change(ada, add(deviceOf(), deviceOf()));
      await first.push.change(bob, add(deviceOf()));
      expect((await second.push.owners()).toSorted()).toEqual([ada, bob].toSorted());
      await second.push.change(ada, (record) => ({ ...record, devices: [] }));
      expect(await first.push.owners()).toEqual([bob]);
    });

    it('has a browser once: the owner who adds it last has it, and is told who had it', async () => {
      const [ada, bob] = [newOwner(), newOwner()];
      const [mine, other] = [deviceOf(), deviceOf()];
      await first.push.change(ada, add(mine, other));
      const theirs = deviceOf({ endpointHash: mine.endpointHash });
      expect((await second.push.change(bob, add(theirs))).takenFrom).toEqual([ada]);
      expect(await devicesOf(ada)).toEqual([other]);
      expect(await devicesOf(bob)).toEqual([theirs]);
      await first.push.change(bob, (record) => ({ ...record, devices: [] }));
      expect((await first.push.change(ada, add(mine))).takenFrom).toEqual([]);
      expect(await devicesOf(ada)).toEqual([other, mine]);
      const both = [mine, other].map(({ endpointHash }) => deviceOf({ endpointHash }));
      expect((await second.push.change(bob, add(...both))).takenFrom).toEqual([ada]);
      expect(await devicesOf(ada)).toEqual([]);
    });

    it('notes which devices show a task, and gives the note to one of many who take it', async () => {
      const [ownerId, other] = [newOwner(), newOwner()];
      const until = clock.now() + 1000;
      for (const devices of [['a'], ['b', 'a']])
        await first.push.addPushed({ ownerId, taskId: 't1', devices, until });
      await second.push.addPushed({ ownerId, taskId: 't2', devices: ['a'], until: until + 1 });
      await second.push.addPushed({ ownerId: other, taskId: 't1', devices: ['c'], until });
      expect(await second.push.countPushed(ownerId)).toBe(2);
      const t1 = { ownerId, taskId: 't1', devices: ['a', 'b'], until };
      expect(await second.push.pushed(ownerId, ['t3', 't1'])).toEqual([t1]);
      expect(await first.push.pushed(newOwner(), ['t1'])).toEqual([]);
      const taken = await Promise.all(
        [first, second, first, second].map((each) => each.push.takePushed(ownerId, ['t1', 't3', 't2'])),
      );
      const all = taken.flat().toSorted((a, b) => (a.taskId < b.taskId ? -1 : 1));
      expect(all).toEqual([t1, { ownerId, taskId: 't2', devices: ['a'], until: until + 1 }]);
      expect([await first.push.countPushed(ownerId), await first.push.countPushed(other)]).toEqual([0, 1]);
    });

    it('loses no device of notes of one task at once, and drops notes past their time', async () => {
      const ownerId = newOwner();
      const until = clock.now() + 1000;
      await Promise.all(
        ['a', 'b', 'c', 'd'].map((device, index) =>
          (index % 2 === 0 ? first : second).push.addPushed({
            ownerId,
            taskId: 't',
            devices: [device],
            until,
          }),
        ),
      );
      await first.push.addPushed({ ownerId, taskId: 'u', devices: ['a'], until: until + 1 });
      await second.push.purge(until - 1);
      expect(await second.push.countPushed(ownerId)).toBe(2);
      const [note] = await second.push.takePushed(ownerId, ['t']);
      expect(note?.devices.toSorted()).toEqual(['a', 'b', 'c', 'd']);
      await first.push.addPushed({ ownerId, taskId: 't', devices: ['a'], until });
      await second.push.purge(until);
      expect((await first.push.takePushed(ownerId, ['t', 'u'])).map(({ taskId }) => taskId)).toEqual(['u']);
    });

    it('holds the tasks of each owner together, once each, until they are due', async () => {
      const [ada, bob] = [newOwner(), newOwner()];
      const now = clock.now();
      await Promise.all([
        first.push.hold({ ownerId: ada, taskIds: ['t1', 't2'], dueAt: now + 10 }),
        second.push.hold({ ownerId: ada, taskIds: ['t2', 't3'], dueAt: now + 10 }),
        second.push.hold({ ownerId: bob, taskIds: ['t9'], dueAt: now + 20 }),
      ]);
      expect(await first.push.takeDue(now + 9, LEASE_MS)).toBeNull();
      const taken = await Promise.all(
        [first, second, first].map((each) => each.push.takeDue(now + 10, LEASE_MS)),
      );
      const [mine, ...more] = taken.filter((one) => one !== null);
      expect(more).toEqual([]);
      expect({ ...mine, taskIds: mine?.taskIds.toSorted() }).toEqual({
        ownerId: ada,
        taskIds: ['t1', 't2', 't3'],
        dueAt: now + 10,
      });
      expect(await second.push.takeDue(now + 20, LEASE_MS)).toEqual({
        ownerId: bob,
        taskIds: ['t9'],
        dueAt: now + 20,
      });
      expect(await first.push.takeDue(now + 20, LEASE_MS)).toBeNull();
    });

    it('goes by the earlier time, moves it when asked, and holds no more than are counted', async () => {
      const ownerId = newOwner();
      const now = clock.now();
      await first.push.holdUntil(ownerId, now);
      expect(await first.push.takeDue(now, LEASE_MS)).toBeNull();
      const many = Array.from({ length: MAX_HELD_TASKS }, (_, index) => `t${index}`);
      await first.push.hold({ ownerId, taskIds: many, dueAt: now + 10 });
      await second.push.hold({ ownerId, taskIds: ['one more'], dueAt: now + 30 });
      await second.push.holdUntil(ownerId, now + 5);
      expect((await first.push.takeDue(now + 5, LEASE_MS))?.taskIds).toHaveLength(MAX_HELD_TASKS);
      await first.push.removeHeld(ownerId, many);
      await first.push.hold({ ownerId, taskIds: ['a'], dueAt: now + 10 });
      await second.push.hold({ ownerId, taskIds: ['b'], dueAt: now + 30 });
      expect((await first.push.takeDue(now + 10, LEASE_MS))?.taskIds.toSorted()).toEqual(['a', 'b']);
    });

    it('answers what is held again after the lease, but for what was removed', async () => {
      const ownerId = newOwner();
      const now = clock.now();
      await first.push.hold({ ownerId, taskIds: ['a', 'b'], dueAt: now });
      expect(await first.push.takeDue(now, LEASE_MS)).not.toBeNull();
      // Held while the others are sent.
      await second.push.hold({ ownerId, taskIds: ['c'], dueAt: now + 2 * LEASE_MS });
      expect(await second.push.takeDue(now + LEASE_MS - 1, LEASE_MS)).toBeNull();
      const again = await second.push.takeDue(now + LEASE_MS, LEASE_MS);
      expect(again?.taskIds.toSorted()).toEqual(['a', 'b', 'c']);
      await second.push.removeHeld(ownerId, ['a', 'b', 'unknown']);
      expect((await first.push.takeDue(now + 2 * LEASE_MS, LEASE_MS))?.taskIds).toEqual(['c']);
      await first.push.removeHeld(ownerId, ['c']);
      await first.push.removeHeld(ownerId, ['c']);
      expect(await first.push.takeDue(now + 9 * LEASE_MS, LEASE_MS)).toBeNull();
    });

    it('has one secret of a name for all processes, replaced only by who knows the one before', async () => {
      const stored = await Promise.all(
        Array.from({ length: 6 }, (_, index) =>
          (index % 2 === 0 ? first : second).secrets.ensure('vapid', `made ${index}`, null),
        ),
      );
      expect(new Set(stored).size).toBe(1);
      const value = stored[0] as string;
      expect(await second.secrets.get('vapid')).toBe(value);
      expect(await second.secrets.get('other')).toBeNull();
      expect(await first.secrets.ensure('vapid', 'b', 'something else')).toBe(value);
      expect(await first.secrets.ensure('vapid', 'c', value)).toBe('c');
      expect(await second.secrets.get('vapid')).toBe('c');
    });
  });
}
