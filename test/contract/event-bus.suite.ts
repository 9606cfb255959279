// The promises of the port EventBus, for every driver: one that reaches this process alone, and one that
// reaches others.
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { newTask } from '#core/domain/task.ts';
import type { BusEvent, EventBus } from '#core/ports/event-bus.ts';
import { newOwner, insertOf } from '#test/helpers/records.ts';
import { waitFor } from '#test/program/wait.ts';

export interface BusUnderTest {
  /** Buses of as many processes as the driver can reach: one or more. */
  buses: EventBus[];
  dispose(): Promise<void>;
}

export interface BusHarness {
  create(): Promise<BusUnderTest>;
}

/** An event of a task of its own. */
export function taskEvent(ownerId = newOwner()): BusEvent {
  const { id, draft } = insertOf({ content: 'disk full ✓', metadata: { deep: [1, null, { a: 'b' }] } });
  return { kind: 'task', type: 'task.created', task: newTask(draft, id, ownerId, Date.UTC(2026, 10, 21)) };
}

/** Everything that a bus delivers from now on. */
export function listen(bus: EventBus): { heard: BusEvent[]; end: () => void } {
  const heard: BusEvent[] = [];
  return { heard, end: bus.subscribe((event) => heard.push(event)) };
}

export function describeEventBus(name: string, harness: BusHarness): void {
  describe(`event bus: ${name}`, () => {
    let under: BusUnderTest;
    let bus: EventBus;

    beforeEach(async () => {
      under = await harness.create();
      bus = under.buses[0] as EventBus;
      await waitFor('all buses to be connected', () => under.buses.every((each) => each.isConnected()));
      await Promise.all(under.buses.map((each) => each.watch(null).ready));
    });
    afterEach(() => under.dispose());

    it('delivers to the subscribers of its own process at once, before publish returns', () => {
      const [first, second] = [listen(bus), listen(bus)];
      const event = taskEvent();
      bus.publish(event);
      expect(first.heard).toEqual([event]);
      expect(second.heard).toEqual([event]);
    });

    it('delivers each event once to every process, whole, in the order of publication', async () => {
      const ears = under.buses.map(listen);
      const events: BusEvent[] = [
        ...Array.from({ length: 200 }, () => taskEvent()),
        { kind: 'reset', ownerId: 'user_1' },
        { kind: 'access', userId: 'user_2' },
        { kind: 'work', lanes: ['wh_1', 'wh_2'] },
        { kind: 'access', userId: null },
        { kind: 'reset', ownerId: null },
      ];
      for (const event of events) bus.publish(event);
      await waitFor('everybody to hear the last', () =>
        ears.every(({ heard }) => heard.length >= events.length),
      );
      for (const { heard } of ears) expect(heard).toEqual(events);
    });

    it('delivers nothing after a subscription has ended', async () => {
      const ears = under.buses.map(listen);
      const witnesses = under.buses.map(listen);
      for (const { end } of ears) end();
      bus.publish(taskEvent());
      await waitFor('the others to hear', () => witnesses.every(({ heard }) => heard.length === 1));
      for (const { heard } of ears) expect(heard).toEqual([]);
    });

    it('counts what came from others, and not what was published here', async () => {
      const [first, ...others] = under.buses.map(listen);
      bus.publish(taskEvent());
      bus.publish({ kind: 'access', userId: null });
      await waitFor('the others to hear', () => others.every(({ heard }) => heard.length === 2));
      expect(first?.heard.length).toBe(2);
      expect(under.buses.map((each) => each.received())).toEqual(
        under.buses.map((each) => (each === bus ? 0 : 2)),
      );
    });

    it('delivers an owner’s events from when a watch of the owner is ready, and goes on with other watches', async () => {
      const fresh = await harness.create();
      try {
        await waitFor('all to be connected', () => fresh.buses.every((each) => each.isConnected()));
        const ears = fresh.buses.map(listen);
        const owner = newOwner();
        const watches = fresh.buses.map((each) => each.watch(owner));
        const more = fresh.buses.map((each) => each.watch(owner));
        await Promise.all(watches.map(({ ready }) => ready));
        for (const { end } of watches) {
          end();
          end();
        }
        await Promise.all(more.map(({ ready }) => ready));
        const events = [taskEvent(owner), taskEvent(owner)];
        for (const event of events) fresh.buses[0]?.publish(event);
        await waitFor('everybody to hear both', () => ears.every(({ heard }) => heard.length >= 2));
        for (const { heard } of ears) expect(heard).toEqual(events);
      } finally {
        await fresh.dispose();
      }
    });

    it('closes twice, and what is published afterwards is no fault', async () => {
      await bus.close();
      await bus.close();
      expect(() => bus.publish(taskEvent())).not.toThrow();
    });
  });
}
