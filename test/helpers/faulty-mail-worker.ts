// A thread for tests: hangs on a mail with "hang" in its subject, dies of one with "die", and reads the
// others.
import { parentPort } from 'node:worker_threads';
import type { ReadMail } from '#adapters/ingestion/smtp/parse/mail.ts';
import { readMail } from '#adapters/ingestion/smtp/parse/read-mail.ts';
import type { ParseRequest, WorkerMessage } from '#adapters/ingestion/smtp/parse/worker.ts';

const post = (message: WorkerMessage) => parentPort?.postMessage(message, []);
const read = ({ raw, nullSender }: ParseRequest): Promise<ReadMail> => {
  const subject = Buffer.from(raw.subarray(0, 20)).toString('latin1');
  while (subject.includes('hang'));
  if (subject.includes('die')) process.exit(1);
  return readMail(raw, { nullSender });
};
let last: Promise<void> = Promise.resolve();
parentPort?.on('message', (request: ParseRequest) => {
  last = last.then(() => read(request)).then(post);
});
post(null);
