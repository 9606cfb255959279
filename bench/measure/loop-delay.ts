// Loaded into a server before its program (`--import`): how long its event loop stands still. On SIGUSR2 it
// prints the longest stop since the last time, in milliseconds.
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { isMainThread } from 'node:worker_threads';

const NANOSECONDS = 1e6;

if (isMainThread) {
  // Samples are a millisecond apart: what is longer is the loop's delay.
  const delay = monitorEventLoopDelay({ resolution: 1 });
  delay.enable();
  process.on('SIGUSR2', () => {
    process.stdout.write(`LOOP ${JSON.stringify({ longest: delay.max / NANOSECONDS - 1 })}\n`);
    delay.reset();
  });
}
