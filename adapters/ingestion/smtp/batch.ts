// What goes to a thread that reads mails and comes back, and how it works through it. The thread says in shared memory which mail
// it is at, so that whoever lent it the bytes can tell how long that one takes, and whose fault it is when the thread dies.
import type { ReadMail } from './message.ts';
import { readMail } from './read.ts';

/** What a thread is started with: number 0 of `progress` is the job at hand, or 0. */
export interface ThreadData {
  progress: Int32Array;
}

/** Some mails, one behind the other in `bytes`. */
export interface Batch {
  bytes: Uint8Array;
  jobs: readonly { id: number; length: number; nullSender: boolean }[];
}

export interface BatchResult {
  results: readonly { id: number; read: ReadMail }[];
}

/** Results are handed back at the latest after so long, even when the batch goes on. */
const FLUSH_AFTER_MS = 20;

/** Reads batches that arrive at `port`. */
export function serve(
  port: { postMessage(result: BatchResult): void },
  progress: Int32Array,
): (batch: Batch) => void {
  return ({ bytes, jobs }) => {
    let results: { id: number; read: ReadMail }[] = [];
    let at = 0;
    let flushedAt = performance.now();
    for (const { id, length, nullSender } of jobs) {
      Atomics.store(progress, 0, id);
      results.push({ id, read: readMail(bytes.subarray(at, at + length), { nullSender }) });
      Atomics.store(progress, 0, 0);
      at += length;
      if (performance.now() - flushedAt > FLUSH_AFTER_MS) {
        port.postMessage({ results });
        results = [];
        flushedAt = performance.now();
      }
    }
    if (results.length > 0) port.postMessage({ results });
  };
}
