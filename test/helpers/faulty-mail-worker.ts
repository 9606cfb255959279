// A thread for tests: hangs on a mail with "hang" in its subject, dies of one with "die", and reads the
// others.
import { parentPort } from 'node:worker_threads';
import { readMail } from '#adapters/ingestion/smtp/parse/read-mail.ts';
import type { ParseRequest, WorkerMessage } from '#adapters/ingestion/smtp/parse/worker.ts';

const post = (message: WorkerMessage) => parentPort?.postMessage(message, []);
parentPort?.on('message', ({ raw, nullSender }: ParseRequest) => {
  const subject = Buffer.from(raw.subarray(0, 20)).toString('latin1');
  while (subject.includes('hang'));
  if (subject.includes('die')) process.exit(1);
  void readMail(raw, { nullSender }).then(post);
});
post(null);
