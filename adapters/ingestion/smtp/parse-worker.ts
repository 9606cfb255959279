// The thread that reads mails.
import { parentPort, workerData } from 'node:worker_threads';
import { serve, type ThreadData } from './batch.ts';

function isThreadData(data: unknown): data is ThreadData {
  return (
    typeof data === 'object' && data !== null && 'progress' in data && data.progress instanceof Int32Array
  );
}

if (parentPort !== null && isThreadData(workerData)) {
  parentPort.on('message', serve(parentPort, workerData.progress));
}
