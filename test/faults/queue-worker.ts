// A worker process of its own: carries submissions out into a store, as the program does. Prints `begun` and
// the content for each, then `stored`. With HOLD set it hangs in the middle, after the tasks are stored or
// before, until it is sent SIGUSR2.
import { once } from 'node:events';
import { createBullQueue } from '#adapters/redis/queue/queue.ts';
import { createIdSource } from '#core/domain/ids.ts';
import { createRejected } from '#core/services/rejected.ts';
import { openStore } from './stores.ts';

const { REDIS_URL: url = '', STORE: address = '', HOLD: hold = '' } = process.env;
// All workers' clocks run faster from the same moment on, so that what a dead one had claimed is free again
// before long.
const [speed, epoch] = [Number(process.env['SPEED']), Number(process.env['EPOCH'])];
const now = () => Math.round(epoch + (Date.now() - epoch) * speed);
const clock = { now, monotonic: now, uptime: now };

const storage = await openStore(address, clock);
const hasty = { lockMs: 1000, stalledCheckMs: 250, backoffMs: 50 };
const partitions = Number(process.env['PARTITIONS']);
const queue = createBullQueue({
  url,
  partitions,
  ...(process.env['AS_IN_PRODUCTION'] === 'true' ? {} : hasty),
});
const rejected = createRejected({
  store: storage.rejected,
  submissions: { retry: () => Promise.reject(new Error('this worker retries nothing')) },
  clock,
  nextId: createIdSource(),
});
const released = hold === '' ? undefined : once(process, 'SIGUSR2');

const worker = queue.work({
  async carryOut(submission) {
    process.stdout.write(`begun ${submission.inserts[0]?.draft.content}\n`);
    if (hold === 'before') await released;
    const outcome = await storage.tasks.create(submission);
    if (outcome.kind === 'in-progress') return { ...outcome, retryAfterMs: outcome.retryAfterMs / speed };
    process.stdout.write('stored\n');
    if (hold === 'after') await released;
    return outcome;
  },
  reject: rejected.add,
});

process.once('SIGTERM', () => {
  void worker
    .stop()
    .then(() => queue.close())
    .then(() => storage.close());
});
