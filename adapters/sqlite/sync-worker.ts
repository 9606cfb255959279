// In the thread that waits for the disk: syncs one open file after another.
import { fdatasyncSync } from 'node:fs';
import { answerOnThread } from '#core/worker-thread.ts';

answerOnThread((fd: number) => fdatasyncSync(fd));
