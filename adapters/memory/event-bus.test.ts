// The event bus of a single process keeps the promises of the port.
import { describeEventBus } from '#test/contract/event-bus.suite.ts';
import { createLocalEventBus } from './event-bus.ts';

describeEventBus('local', {
  async create() {
    const bus = createLocalEventBus();
    return { buses: [bus], dispose: () => bus.close() };
  },
});
