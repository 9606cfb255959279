// How long a server's main thread has been on a processor: what it worked, whatever else the machine was
// doing.
import { readFileSync } from 'node:fs';

/** In milliseconds since the process began. */
export function busyMs(pid: number): number {
  return Number(readFileSync(`/proc/${pid}/task/${pid}/schedstat`, 'utf8').split(' ')[0]) / 1e6;
}
