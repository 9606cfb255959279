// Ports for programs that tests start. Test files run in several processes, and several checkouts on one
// machine: a port that one of them got is not given to another, and no client takes it meanwhile.
import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Above those that `fetch` and browsers refuse to ask: 10080 is the last (fetch.spec.whatwg.org, 2.9). */
const FROM = 10_081;
/** Below those that systems give to clients by themselves (32768 on Linux, 49152 elsewhere). */
const TO = 32_000;
/** A file for each port that is given away, with the process that has it. */
const folder = join(tmpdir(), `qinbox-ports-${process.getuid?.() ?? 'all'}`);

const own = new Set<number>();
process.on('exit', () => {
  for (const port of own) rmSync(join(folder, `${port}`), { force: true });
});

/** A port that nobody listens on right now, and that is this process's until it ends. */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = randomInt(FROM, TO);
    if (!claim(port)) continue;
    own.add(port);
    if (await isFree(port)) return port;
  }
}

function claim(port: number): boolean {
  mkdirSync(folder, { recursive: true });
  const file = join(folder, `${port}`);
  try {
    writeFileSync(file, `${process.pid}`, { flag: 'wx' });
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    // Left behind by a process that was killed: free from the next time on.
    if (isGone(file)) rmSync(file, { force: true });
    return false;
  }
}

function isGone(file: string): boolean {
  try {
    process.kill(Number(readFileSync(file, 'utf8')), 0);
    return false;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ESRCH';
  }
}

async function isFree(port: number): Promise<boolean> {
  const server = createServer();
  const listening = once(server, 'listening').then(
    () => true,
    () => false,
  );
  server.listen(port, '127.0.0.1');
  const free = await listening;
  if (free) {
    server.close();
    await once(server, 'close');
  }
  return free;
}
