// The thread that hashes passwords, one at a time.
import { getPriority, setPriority } from 'node:os';
import { parentPort } from 'node:worker_threads';
import { hashPassword, verifyPassword } from '#core/domain/password.ts';
import type { HashWork } from './queue.ts';

/** Steps behind the event loop, which leave it three quarters of a core that both want. */
const STEPS_BACK = 5;
const LAST = 19;

standBack();

parentPort?.on('message', (work: HashWork) => {
  const result =
    work.kind === 'hash' ? hashPassword(work.password) : verifyPassword(work.password, work.hash);
  parentPort?.postMessage(result, []);
});

// On Linux a thread has a priority of its own (sched(7)); elsewhere this would be the whole program's.
function standBack(): void {
  if (process.platform !== 'linux') return;
  try {
    setPriority(0, Math.min(LAST, getPriority(0) + STEPS_BACK));
  } catch {
    // Where a sandbox forbids it, passwords are checked as an equal.
  }
}
