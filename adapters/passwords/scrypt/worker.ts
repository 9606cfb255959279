// The thread that hashes passwords, one at a time.
import { setPriority } from 'node:os';
import { parentPort } from 'node:worker_threads';
import { hashPassword, verifyPassword } from '#core/domain/password.ts';
import type { HashWork } from './queue.ts';

/** On the scale from 0, as usual, to 19, after everybody: a quarter of a core that the event loop wants whole. */
const NICENESS = 5;

// On Linux a thread has a priority of its own (sched(7)); elsewhere this would be the whole program's.
if (process.platform === 'linux') setPriority(0, NICENESS);

parentPort?.on('message', (work: HashWork) => {
  const result =
    work.kind === 'hash' ? hashPassword(work.password) : verifyPassword(work.password, work.hash);
  parentPort?.postMessage(result, []);
});
