// Kills the server again and again at random moments while many write, and tells what became of every task.
import { randomInt } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { createKey, freePort, startProgram, temporaryFolder } from '#test/program/program.ts';
import { waitFor } from '#test/program/wait.ts';
import { countContents, createWriters } from './writers.ts';

const WRITERS = 64;
const NO_LIMITS = {
  RATE_LIMIT_PER_MINUTE: '1000000000',
  RATE_LIMIT_PER_HOUR: '1000000000',
  MAX_TASKS_PER_OWNER: '1000000000',
  MAX_BYTES_PER_OWNER: '1000000000000',
};

export interface Fates {
  answered: number;
  /** Answered 201 and not there afterwards. */
  lost: string[];
  /** There more than once. */
  doubled: string[];
  /** There without ever having been sent. */
  unknown: string[];
  /** How many writes were under way at the kills, all told: without any, the kills proved nothing. */
  interrupted: number;
}

/**
 * Writes through `kills` kills and restarts, lets every writer finish, and compares what was answered with
 * what is there.
 */
export async function killUnderLoad(kills: number): Promise<Fates> {
  const folder = temporaryFolder('kill');
  const port = await freePort();
  try {
    const key = createKey(folder.path, 'writer@example.com');
    const writers = createWriters(key, WRITERS);
    const start = () => startProgram({ dataDir: folder.path, port, env: NO_LIMITS });
    let interrupted = 0;
    let program = await start();
    for (let kill = 0; kill < kills; kill++) {
      const before = writers.answered.size;
      const writing = writers.write(port, () => false);
      await waitFor('answers', () => writers.answered.size > before + randomInt(1, 500) || null);
      await pause(randomInt(0, 40));
      await program.kill();
      await writing;
      interrupted += writers.open.size;
      program = await start();
    }
    await writers.write(port, () => true);
    const counts = await countContents(port, key);
    await program.stop();
    return {
      answered: writers.answered.size,
      lost: [...writers.answered].filter((marker) => !counts.has(marker)),
      doubled: [...counts].filter(([, count]) => count > 1).map(([marker]) => marker),
      unknown: [...counts.keys()].filter((marker) => !writers.answered.has(marker)),
      interrupted,
    };
  } finally {
    folder.remove();
  }
}
