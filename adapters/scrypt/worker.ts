// In the thread that hashes passwords.
import { workerData } from 'node:worker_threads';
import { hashPassword, verifyPassword, type HashCost } from './password-hash.ts';
import { answerOnThread, lowerPriority } from '#core/worker-thread.ts';
import type { HashWork } from './queue.ts';

// Leaves the event loop three quarters of a processor that both want.
lowerPriority(5);
const cost = workerData as HashCost;
answerOnThread((work: HashWork) =>
  work.kind === 'hash' ? hashPassword(work.password, cost) : verifyPassword(work.password, work.hash, cost),
);
