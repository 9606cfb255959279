// The thread that reads mails, one at a time. An empty message says that it is ready, others are results.
import { parentPort } from 'node:worker_threads';
import type { ReadMail } from './mail.ts';
import { readMail } from './read-mail.ts';

/** What the thread is asked to read. */
export interface ParseRequest {
  raw: Uint8Array;
  /** Whether the mail came with `MAIL FROM:<>`. */
  nullSender: boolean;
}

export type WorkerMessage = ReadMail | null;

const port = parentPort;
const post = (message: WorkerMessage) => port?.postMessage(message);
/** Ends with the mail before: the pool takes the first that is not answered for the one being read. */
let last: Promise<void> = Promise.resolve();
port?.on('message', ({ raw, nullSender }: ParseRequest) => {
  last = last.then(() => readMail(raw, { nullSender })).then(post);
});
post(null);
