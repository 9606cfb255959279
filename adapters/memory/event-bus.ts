// The event bus of a single process: every subscriber is called at once, in the order of publication.
import type { BusEvent, EventBus } from '#core/ports/event-bus.ts';

/** An event bus that reaches this process alone. */
export function createLocalEventBus(): EventBus {
  const subscribers = new Set<(event: BusEvent) => void>();
  return {
    publish(event) {
      for (const subscriber of subscribers) subscriber(event);
    },
    subscribe(subscriber) {
      subscribers.add(subscriber);
      return () => subscribers.delete(subscriber);
    },
    flush: () => Promise.resolve(),
    watch: () => ({ ready: Promise.resolve(), end() {} }),
    isConnected: () => true,
    fault: () => null,
    received: () => 0,
    async close() {
      subscribers.clear();
    },
  };
}
