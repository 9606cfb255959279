// MongoDB far away, on a full disk, and building an index for a minute, under the load of the real program:
// prints what clients saw. Whatever was acknowledged is there, once.
import { spawnSync } from 'node:child_process';
import { rmSync, statfsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { MongoClient } from 'mongodb';
import { describe, expect, it } from 'vitest';
import {
  end,
  freePort,
  plainEnvironment,
  root,
  serverScript,
  startScript,
  temporaryFolder,
} from '#test/program/program.ts';
import { waitFor } from '#test/program/wait.ts';
import { startMongo } from '#test/services/mongodb.ts';
import type { Service } from '#test/services/service.ts';
import { compare, startLoad, type Load } from './load.ts';
import { startStack, type Stack } from './stack.ts';

const LOAD_MS = Number(process.env['LOAD_SECONDS'] ?? 20) * 1000;
const BUILD_MS = Number(process.env['BUILD_SECONDS'] ?? 60) * 1000;
const TIMEOUT_MS = 600_000;
const WHOLE = { missing: 0, doubled: 0 };
/** Enough for an empty server and its journal. */
const DISK_MIB = 700;
/** Left on the disk when it counts as nearly full. */
const LEFT_BYTES = 3 * 2 ** 20;

async function startOne(options: string[] = []): Promise<Service> {
  const found = await startMongo(() => {}, options);
  if ('missing' in found) throw new Error(found.missing);
  return found.service;
}

async function stackOn(mongo: Pick<Service, 'url' | 'stop'>): Promise<Stack> {
  const stack = await startStack({}, mongo);
  if ('missing' in stack) throw new Error(stack.missing);
  return stack;
}

/** Prints what clients saw, and answers what became of what was acknowledged. */
async function tell(name: string, stack: Stack, load: Load): Promise<{ missing: number; doubled: number }> {
  const fates = await compare(stack, load, TIMEOUT_MS / 3);
  const answers = [...load.answers].toSorted().map(([answer, count]) => `${answer}: ${count}`);
  process.stdout.write(
    `${name}: ${answers.join(', ')}; slowest ${Math.round(load.slowestMs())} ms; ` +
      `${load.taken()} acknowledged, ${fates.missing} missing, ${fates.doubled} doubled\n`,
  );
  return fates;
}

describe('MongoDB under load', { timeout: TIMEOUT_MS }, () => {
  it.each([10, 100])('takes everything at a round trip of %i ms', async (roundTripMs) => {
    const mongo = await startOne();
    const env = plainEnvironment({ PORT: new URL(mongo.url).port, DELAY_MS: `${roundTripMs / 2}` });
    const far = await startScript(join(root, 'test/faults/far.ts'), [], env);
    const port = await waitFor('the way there', () => /port (\d+)/.exec(far.output())?.[1]);
    const stack = await stackOn({
      url: `mongodb://127.0.0.1:${port}/?directConnection=true`,
      stop: async () => {
        await end(far.child, 'SIGKILL');
        await mongo.stop();
      },
    });
    try {
      const load = startLoad(stack, 16);
      await wait(LOAD_MS);
      expect(await tell(`round trip of ${roundTripMs} ms`, stack, load)).toEqual(WHOLE);
      expect(load.always503SaysWhen()).toBe(true);
    } finally {
      await stack.stop();
    }
  });

  it('goes on while another process builds an index for a minute, and that one starts when it is built', async () => {
    const mongo = await startOne(['--setParameter', 'enableTestCommands=1']);
    const stack = await stackOn(mongo);
    const client = new MongoClient(mongo.url);
    const hang = (mode: 'alwaysOn' | 'off') =>
      client.db('admin').command({ configureFailPoint: 'hangAfterStartingIndexBuild', mode });
    try {
      const load = startLoad(stack, 16);
      await waitFor('some tasks to be taken', () => load.taken() > 100);
      await client.db('qinbox').collection('tasks').dropIndex('restorable');
      await hang('alwaysOn');
      const port = await freePort();
      const env = { ...stack.env, PORT: `${port}`, DATA_DIR: '/nonexistent', QINBOX_ROLES: 'api' };
      const next = await startScript(serverScript(), [], plainEnvironment(env));
      const isReady = () =>
        fetch(`http://127.0.0.1:${port}/ready`).then(
          ({ ok }) => ok,
          () => false,
        );
      const begun = performance.now();
      let takenInTime = 0;
      while (performance.now() - begun < BUILD_MS) {
        const before = load.taken();
        await wait(1000);
        if (load.taken() > before) takenInTime++;
      }
      expect(await isReady()).toBe(false);
      expect(next.child.exitCode).toBeNull();
      await hang('off');
      await waitFor('the process that built it', isReady);
      await end(next.child, 'SIGTERM');
      expect(await tell(`an index build of ${BUILD_MS / 1000} s`, stack, load)).toEqual(WHOLE);
      expect(load.always503SaysWhen()).toBe(true);
      // No second passed without a task.
      expect(takenInTime).toBeGreaterThan((BUILD_MS / 1000) * 0.8);
    } finally {
      await client.close();
      await stack.stop();
    }
  });

  it('loses nothing on a full disk, and goes on when there is space again', async ({ skip }) => {
    const disk = temporaryFolder('disk');
    const mount = spawnSync('mount', ['-t', 'tmpfs', '-o', `size=${DISK_MIB}m`, 'tmpfs', disk.path]);
    if (mount.status !== 0) {
      disk.remove();
      return skip('this account may not mount a small disk');
    }
    const folder = process.env['TMPDIR'];
    process.env['TMPDIR'] = disk.path;
    const mongo = await startOne();
    if (folder === undefined) delete process.env['TMPDIR'];
    else process.env['TMPDIR'] = folder;
    const stack = await stackOn(mongo);
    const filler = join(disk.path, 'filler');
    try {
      const load = startLoad(stack, 16);
      await waitFor('some tasks to be taken', () => load.taken() > 100);
      const { bavail, bsize } = statfsSync(disk.path);
      writeFileSync(filler, Buffer.alloc(bavail * bsize - LEFT_BYTES));
      const refusals = () => (load.answers.get('store 503') ?? 0) + (load.answers.get('store none') ?? 0);
      await waitFor('writes to be refused', () => refusals() > 20, TIMEOUT_MS / 3);
      rmSync(filler);
      // It ends itself when it cannot write its journal, and is started again, as by any supervisor.
      const isGone = await waitFor('it to write again', async () => {
        if (hasEnded(mongo.pid)) return 'ended by itself';
        const before = load.taken();
        await wait(1000);
        return load.taken() > before && 'went on';
      });
      if (isGone === 'ended by itself') await mongo.restart();
      const before = load.taken();
      await waitFor('tasks to be taken again', () => load.taken() > before + 100, TIMEOUT_MS / 3);
      expect(await tell(`full disk, where mongod ${isGone}`, stack, load)).toEqual(WHOLE);
      expect(load.always503SaysWhen()).toBe(true);
    } finally {
      await stack.stop();
      spawnSync('umount', [disk.path]);
      disk.remove();
    }
  });
});

function hasEnded(pid: number | null): boolean {
  try {
    process.kill(pid ?? 0, 0);
    return false;
  } catch {
    return true;
  }
}
