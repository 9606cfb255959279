// A worker process of its own: carries submissions out into a SQLite file, as the program does. Prints `begun` for each. With
// HOLD set it hangs in the middle, after the tasks are stored or before, until it is sent SIGUSR2.
import { once } from 'node:events';
import { createBullQueue } from '#adapters/queue/bullmq/adapter.ts';
import { openSqliteStorage } from '#adapters/storage/sqlite/storage.ts';
import { systemClock as clock } from '#core/ports/clock.ts';
import { createRejected } from '#core/services/rejected.ts';

const { REDIS_URL: url = '', FILE: file = '', HOLD: hold = '' } = process.env;

const storage = openSqliteStorage({ file, clock });
const queue = createBullQueue({ url, lockMs: 1000, stalledCheckMs: 250, backoffMs: 50 });
const rejected = createRejected({ store: storage.rejected, queue, clock });
const released = hold === '' ? undefined : once(process, 'SIGUSR2');

const worker = queue.work({
  async carryOut(submission) {
    process.stdout.write('begun\n');
    if (hold === 'before') await released;
    const outcome = await storage.tasks.create(submission);
    process.stdout.write('stored\n');
    if (hold === 'after') await released;
    return outcome;
  },
  reject: (submission, fault, attempts) => rejected.keep(submission, fault, attempts),
});

process.once('SIGTERM', () => {
  void worker
    .stop()
    .then(() => queue.close())
    .then(() => storage.close());
});
