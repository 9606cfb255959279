// The intake behind a token is found without waiting for a slow store, and what its owner changes is felt at
// once all the same.
import { expect, it } from 'vitest';
import type { EventBus } from '#core/ports/event-bus.ts';
import type { IntakeStore } from '#core/ports/intake-store.ts';
import { createIntakeCache } from '#core/services/intakes/cache.ts';
import { createTestApp } from '#test/helpers/app.ts';

async function arrange() {
  const { parts, clock, user } = await createTestApp();
  const me = await user();
  const intake = await parts.intakes.create(me.id, {
    name: 'mine',
    adapter: 'webhook',
    verification: { scheme: 'none' },
  });
  const token = parts.intakeEncryption.tokenOf(intake) ?? '';
  let asked = 0;
  let connected = true;
  let gate: Promise<void> = Promise.resolve();
  const slow: IntakeStore = {
    ...parts.storage.intakes,
    async findByTokenHash(hash, now) {
      asked++;
      const found = await parts.storage.intakes.findByTokenHash(hash, now);
      await gate;
      return found;
    },
  };
  const bus: EventBus = { ...parts.bus, isConnected: () => connected };
  const access = createIntakeCache({
    intakes: slow,
    accounts: parts.storage.accounts,
    mayUse: parts.accounts.mayUse,
    bus,
    clock,
    open: parts.intakeEncryption.open,
  });
  /** What a sender finds while the store does not answer; 'waits' when it has to. */
  const early = async () => {
    const found = await Promise.race([
      access.find(token),
      new Promise<'waits'>((resolve) => setImmediate(resolve, 'waits')),
    ]);
    return found === 'waits' ? found : (found?.name ?? null);
  };
  return {
    parts,
    me,
    intake,
    clock,
    early,
    find: async () => (await access.find(token))?.name ?? null,
    asked: () => asked,
    disconnect: () => (connected = false),
    /** Keeps the store from answering; what is returned lets it. */
    hold() {
      let answer: () => void = () => {};
      gate = new Promise((resolve) => (answer = resolve));
      return answer;
    },
  };
}

it('asks a store once in two seconds, once for all, and uses what it knows while that lasts', async () => {
  const { clock, early, find, asked, hold } = await arrange();
  expect(await Promise.all([find(), find(), find()])).toEqual(['mine', 'mine', 'mine']);
  expect(asked()).toBe(1);
  const answer = hold();
  clock.advance(2000);
  expect([await early(), await early(), asked()]).toEqual(['mine', 'mine', 2]);
  clock.advance(28_000);
  expect(await early()).toBe('waits');
  answer();
  expect(await find()).toBe('mine');
});

it('forgets at once what was changed, and whatever the store was about to say of before', async () => {
  const { parts, me, intake, clock, find, early, hold } = await arrange();
  await find();
  clock.advance(2000);
  const answer = hold();
  expect(await early()).toBe('mine');
  await parts.intakes.revoke(me.id, intake.id);
  expect(await early()).toBe('waits');
  answer();
  expect(await find()).toBeNull();
  await new Promise(setImmediate);
  expect(await find()).toBeNull();
});

it('does not go on with what it knows when no word comes from other processes, or the token has ended', async () => {
  const { parts, me, intake, clock, find, early, hold, disconnect } = await arrange();
  await find();
  clock.advance(2000);
  disconnect();
  const answer = hold();
  expect(await early()).toBe('waits');
  answer();

  await parts.intakes.rotate(me.id, intake.id, 1);
  clock.advance(59_500);
  expect(await find()).toBe('mine');
  clock.advance(500);
  expect(await find()).toBeNull();
});
