// In the thread that hashes passwords.
import { hashPassword, verifyPassword } from './password-hash.ts';
import { answerOnThread, lowerPriority } from '#core/worker-thread.ts';
import type { HashWork } from './queue.ts';

// Leaves the event loop three quarters of a processor that both want.
lowerPriority(5);
answerOnThread((work: HashWork) =>
  work.kind === 'hash' ? hashPassword(work.password) : verifyPassword(work.password, work.hash),
);
