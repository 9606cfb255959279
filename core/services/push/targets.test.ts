// Who has devices is known without asking the store for each task, and a change of it at once.
import { describe, expect, it, onTestFinished } from 'vitest';
import { createLocalEventBus } from '#adapters/memory/event-bus.ts';
import { openSqliteStorage } from '#adapters/sqlite/storage.ts';
import { DEFAULT_RULES } from '#core/domain/push.ts';
import { createFakeClock } from '#test/helpers/clock.ts';
import { deviceOf, userOf } from '#test/helpers/records.ts';
import { createTempDir } from '#test/helpers/temp.ts';
import { createPushTargets } from './targets.ts';

async function withTargets() {
  const clock = createFakeClock();
  const storage = openSqliteStorage({ file: `${createTempDir()}/qinbox.db`, clock });
  onTestFinished(() => storage.close());
  const bus = createLocalEventBus();
  const reads: string[] = [];
  const active = new Set<string>();
  const targets = createPushTargets({
    store: { ...storage.push, get: (ownerId) => (reads.push(ownerId), storage.push.get(ownerId)) },
    accounts: storage.accounts,
    mayUse: ({ id }) => active.has(id),
    subscriptionOf: ({ id, encrypted }) =>
      encrypted === 'unreadable'
        ? null
        : { endpoint: `https://push.example.com/${id}`, p256dh: '', auth: '' },
    bus,
    clock,
  });
  onTestFinished(() => targets.close());
  return {
    clock,
    storage,
    bus,
    reads,
    active,
    targets,
    /** Adds devices to a new user, as any process may. */
    async owner(...devices: ReturnType<typeof deviceOf>[]): Promise<string> {
      const { user } = await storage.accounts.ensureUser(userOf());
      active.add(user.id);
      await storage.push.change(user.id, (record) => ({ ...record, devices }));
      return user.id;
    },
  };
}

describe('the owners who have devices', () => {
  it('are read once; of any other nothing is asked', async () => {
    const { targets, reads, owner } = await withTargets();
    const [ada, bob] = [await owner(deviceOf()), await owner()];
    expect(targets.mayHave(bob)).toBe(true);
    expect(await targets.get(bob)).toBeNull();
    expect([targets.mayHave(ada), targets.mayHave(bob), targets.mayHave('nobody')]).toEqual([
      true,
      false,
      false,
    ]);
    for (let turn = 0; turn < 3; turn++)
      expect(await targets.get(ada)).toMatchObject({ rules: DEFAULT_RULES, devices: [{ ownerId: ada }] });
    expect(reads).toEqual([ada]);
  });

  it('are known anew when one changes something, and all of them when anybody may have', async () => {
    const { targets, owner, storage, bus } = await withTargets();
    const [ada, bob] = [await owner(deviceOf()), await owner()];
    expect((await targets.get(ada))?.devices).toHaveLength(1);
    await storage.push.change(ada, (record) => ({ ...record, devices: [deviceOf(), deviceOf()] }));
    expect((await targets.get(ada))?.devices).toHaveLength(1);
    bus.publish({ kind: 'access', userId: ada });
    expect((await targets.get(ada))?.devices).toHaveLength(2);

    expect(targets.mayHave(bob)).toBe(false);
    await storage.push.change(bob, (record) => ({ ...record, devices: [deviceOf()] }));
    bus.publish({ kind: 'access', userId: null });
    expect(targets.mayHave(bob)).toBe(true);
    expect((await targets.get(bob))?.devices).toHaveLength(1);

    await storage.push.change(ada, (record) => ({ ...record, devices: [] }));
    bus.publish({ kind: 'access', userId: ada });
    expect(await targets.get(ada)).toBeNull();
    expect(targets.mayHave(ada)).toBe(false);
  });

  it('have none whose API key has ended, however lately they were read', async () => {
    const { clock, targets, owner } = await withTargets();
    const key = { id: 'key_x', until: clock.now() + 1000 };
    const [ada, bob] = [
      await owner(deviceOf({ key }), deviceOf({ key: { id: 'key_y', until: null } })),
      await owner(deviceOf({ key })),
    ];
    expect((await targets.get(ada))?.devices).toHaveLength(2);
    expect((await targets.get(bob))?.devices).toHaveLength(1);
    clock.advance(1000);
    expect((await targets.get(ada))?.devices).toHaveLength(1);
    expect(await targets.get(bob)).toBeNull();
  });

  it('have none while the account may not be used, and none that cannot be read', async () => {
    const { targets, owner, active, bus } = await withTargets();
    const [ada, bob] = [await owner(deviceOf()), await owner(deviceOf({ encrypted: 'unreadable' }))];
    expect(await targets.get(bob)).toBeNull();
    active.delete(ada);
    expect(await targets.get(ada)).toBeNull();
    active.add(ada);
    bus.publish({ kind: 'access', userId: ada });
    expect(await targets.get(ada)).not.toBeNull();
  });
});
