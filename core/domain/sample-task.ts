// The task that tests send.
import { newTask, type Task } from './task.ts';

/** `name`: any id, of which the task's is made. */
export function sampleTask(name: string, ownerId: string, now: number): Task {
  const draft = {
    content: 'A test from Qinbox: this address is told what happens to tasks.',
    priority: 'normal',
    source: 'integration',
    tags: ['test'],
    metadata: {},
    expiryMinutes: 60,
    dedupeKey: null,
    reopens: true,
  } as const;
  return newTask(draft, name.replace(/^[a-z]+_/, 'task_'), ownerId, now);
}
