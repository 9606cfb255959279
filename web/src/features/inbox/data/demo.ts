// The demo's tasks and its outbox: one set for the page, in memory, created at the first use.
import type { Task } from '#core/contract/index.ts';
import type { Entry, Operation } from '../../../lib/outbox/entry.ts';
import { Outbox } from '../../../lib/outbox/outbox.ts';
import { pageTimers } from '../../../lib/timers.ts';
import type { DemoBackend } from './demo-backend.ts';

let backend: Promise<DemoBackend> | null = null;

export async function loadDemo(): Promise<DemoBackend> {
  backend ??= import('./demo-backend.ts').then(({ createDemoBackend }) => createDemoBackend());
  return backend;
}

export const demoOutbox = new Outbox({
  disk: null,
  perform,
  failureText: async ({ kind }) => (await loadDemo()).texts[TEXT_OF[kind]],
  isReachable: () => true,
  hasNetwork: () => true,
  withLock: (work) => work(),
  broadcast: () => undefined,
  clock: pageTimers,
});

const TEXT_OF = {
  create: 'create',
  edit: 'update',
  extend: 'update',
  restore: 'update',
  acknowledge: 'delete',
  pin: 'pin',
  change: 'update',
} as const satisfies Record<Operation['kind'], keyof DemoBackend['texts']>;

async function perform({ operation }: Entry): Promise<readonly Task[]> {
  const demo = await loadDemo();
  switch (operation.kind) {
    case 'acknowledge':
      await demo.acknowledge(operation.tasks.map(({ id }) => id));
      return [];
    case 'restore':
      return demo.restore(operation.tasks.map(({ id }) => id));
    case 'create':
      return [await demo.create(operation.input)];
    case 'edit':
      return [await demo.edit(operation.task.id, operation.changes)];
    case 'pin':
      return [await demo.pin(operation.task.id, operation.pinned)];
    case 'change':
      return demo.changeMany(operation.changes.map(({ task, to }) => ({ id: task.id, ...to })));
    case 'extend':
      return [await demo.extend(operation.task.id, operation.minutes)];
  }
}

void demoOutbox.setOwner('demo');
