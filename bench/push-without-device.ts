// What pushes cost for a task of an owner without a device, in nanoseconds: what is asked in the write of the
// task, and what follows it. In this process, the least of many rounds: what else runs here takes no part.
import { join } from 'node:path';
import { createLocalEventBus } from '#adapters/memory/event-bus.ts';
import { openSqliteStorage } from '#adapters/sqlite/storage.ts';
import { pushWork } from '#core/domain/push-work.ts';
import { newTask } from '#core/domain/task.ts';
import { createPushTargets } from '#core/services/push/targets.ts';
import { createPush } from '#core/services/push/push.ts';
import { createFakeClock } from '#test/helpers/clock.ts';
import { deviceOf, draft, newOwner } from '#test/helpers/records.ts';
import { temporaryFolder } from '#test/program/program.ts';

const ROUNDS = 200;
const CALLS = 10_000;
/** Other owners, who have a device. */
const OTHERS = 200;

/** The least nanoseconds of one call. */
function leastNs(call: () => unknown): number {
  let least = Infinity;
  for (let round = 0; round < ROUNDS; round++) {
    const began = performance.now();
    for (let count = 0; count < CALLS; count++) call();
    least = Math.min(least, performance.now() - began);
  }
  return (least * 1e6) / CALLS;
}

export async function costWithoutDevice(): Promise<{ write: number; after: number }> {
  const clock = createFakeClock();
  const folder = temporaryFolder('push-without-device');
  const storage = openSqliteStorage({ file: join(folder.path, 'qinbox.db'), clock });
  const bus = createLocalEventBus();
  const store = storage.push;
  for (let count = 0; count < OTHERS; count++)
    await store.change(newOwner(), (record) => ({ ...record, devices: [deviceOf()] }));
  const targets = createPushTargets({
    store,
    accounts: storage.accounts,
    mayUse: () => true,
    bus,
    clock,
    subscriptionOf: () => null,
  });
  const push = createPush({
    store,
    tasks: storage.tasks,
    work: storage.work,
    targets,
    clock,
    delivery: { deliver: () => Promise.resolve(true), close: () => Promise.resolve() },
    actions: { tokenFor: () => '' },
    publicUrl: () => '',
    onError: (error) => {
      throw error;
    },
  });
  const ownerId = newOwner();
  // Loads who has one.
  await targets.get(ownerId);
  const task = newTask(draft({ content: 'x', priority: 'high' }), 'task_1', ownerId, clock.now());
  const event = { kind: 'task', type: 'task.created', task } as const;
  const hearing = push.hearing(bus, 'sender');
  const alone = leastNs(() => bus.publish(event));
  const after = leastNs(() => hearing.publish(event)) - alone;
  const change = { type: event.type, before: null, task, at: clock.now() } as const;
  const write = leastNs(() => pushWork(null, change));
  await push.close();
  await storage.close();
  folder.remove();
  return { write, after: Math.max(0, after) };
}
