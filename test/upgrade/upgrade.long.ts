// `FROM=<commit or tag> npm run test:upgrade`: an upgrade from that version to this one while tasks are sent,
// embedded and at the production size, in each order that an operator may choose. Every task that was
// answered is there afterwards, once.
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { countContents, createWriters } from '#test/durability/writers.ts';
import { compare, startLoad } from '#test/faults/load.ts';
import { startStack, type Stack } from '#test/faults/stack.ts';
import {
  createKey,
  freePort,
  root,
  startProgram,
  temporaryFolder,
  type Program,
} from '#test/program/program.ts';
import { waitFor } from '#test/program/wait.ts';

const PATIENCE_MS = 300_000;
/** Installs and builds the older version. */
const SETUP_MS = 900_000;
const SENDERS = 16;
/** Tasks that are sent on each side of a change. */
const SOME = 200;
const NO_LIMITS = { RATE_LIMIT_PER_MINUTE: '1000000', RATE_LIMIT_PER_HOUR: '1000000' };

describe('an upgrade under load', { timeout: PATIENCE_MS }, () => {
  const older = temporaryFolder('older');
  const folder = join(older.path, 'qinbox');

  beforeAll(() => {
    const from = process.env['FROM'];
    if (from === undefined || from === '')
      throw new Error('Say which version the upgrade begins with: FROM=<commit or tag> npm run test:upgrade');
    const run = (command: string, ...args: string[]) => execFileSync(command, args, { cwd: older.path });
    run('git', 'clone', '--quiet', '--no-local', `file://${root}`, folder);
    run('git', '-C', folder, 'checkout', '--quiet', '--detach', from);
    run('npm', '--prefix', folder, 'ci', '--include=dev', '--no-audit', '--no-fund', '--loglevel=error');
    run('npm', '--prefix', folder, 'run', '--silent', 'build');
  }, SETUP_MS);
  // Tens of thousands of files.
  afterAll(() => older.remove(), PATIENCE_MS);

  it.each([
    ['is asked to end', (program: Program) => program.stop()],
    ['is killed', (program: Program) => program.kill()],
  ])('loses and doubles nothing of one machine when the older version %s', async (_how, end) => {
    const data = temporaryFolder('upgrade');
    const port = await freePort();
    const start = (of: string) => startProgram({ dataDir: data.path, port, env: NO_LIMITS, folder: of });
    try {
      const key = createKey(data.path, undefined, undefined, folder);
      const writers = createWriters(key, SENDERS);
      const before = await start(folder);
      const writing = writers.write(port, () => false);
      await waitFor('answers', () => writers.answered.size > SOME);
      await end(before);
      await writing;
      const after = await start(root);
      await writers.write(port, () => writers.answered.size > 2 * SOME);
      const counts = await countContents(port, key);
      expect([...writers.answered].filter((marker) => counts.get(marker) !== 1)).toEqual([]);
      expect(await after.stop()).toBe(0);
    } finally {
      data.remove();
    }
  });

  const ORDERS: [string, (stack: Stack) => Promise<void>][] = [
    ['one process after the other, workers first', (stack) => roll(stack, ['workers', 'apis'])],
    ['one process after the other, APIs first', (stack) => roll(stack, ['apis', 'workers'])],
    ['all processes at once', (stack) => all(stack, (each) => each.stop())],
    ['all processes at once after a kill', (stack) => all(stack, (each) => each.kill())],
  ];
  it.each(ORDERS)('loses and doubles nothing at the production size: %s', async (_how, change) => {
    const stack = await startStack({}, undefined, folder);
    if ('missing' in stack) throw new Error(stack.missing);
    try {
      const load = startLoad(stack, SENDERS);
      const more = async () => {
        const wanted = load.taken() + SOME;
        await waitFor(`${wanted} tasks to be taken`, () => load.taken() >= wanted, PATIENCE_MS / 3);
      };
      await more();
      await change(stack);
      await more();
      expect(await compare(stack, load, PATIENCE_MS / 3)).toEqual({ missing: 0, doubled: 0 });
    } finally {
      await stack.stop();
    }
  });
});

/** Replaces each process of these roles by one of this version, which runs before the older one ends. */
async function roll(stack: Stack, roles: readonly ('apis' | 'workers')[]): Promise<void> {
  for (const role of roles)
    for (const [index, before] of stack[role].entries()) {
      stack[role][index] = await (role === 'apis' ? stack.startApi() : stack.startWorker());
      expect(await before.stop()).toBe(0);
    }
}

/** Ends every process, and starts as many of this version, all at once. */
async function all(stack: Stack, end: (program: Program) => Promise<unknown>): Promise<void> {
  await Promise.all([...stack.apis, ...stack.workers].map(end));
  [stack.apis, stack.workers] = await Promise.all([
    Promise.all(stack.apis.map(() => stack.startApi())),
    Promise.all(stack.workers.map(() => stack.startWorker())),
  ]);
}
