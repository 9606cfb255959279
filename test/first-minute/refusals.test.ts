// What an operator sees when Qinbox cannot start: one line that says what to do, an exit code for scripts, no
// stack.
import { execFileSync, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  createKey,
  freePort,
  plainEnvironment,
  startProgram,
  serverScript,
  startScript,
  temporaryFolder,
} from '#test/program/program.ts';

const canTrace = spawnSync('strace', ['-o', '/dev/null', 'true']).status === 0;
const canMount = spawnSync('unshare', ['--mount', 'true']).status === 0;

describe('a start that cannot be', () => {
  let folder: ReturnType<typeof temporaryFolder>;
  beforeAll(() => {
    folder = temporaryFolder('refusals');
  });
  afterAll(() => folder.remove());

  async function startAndEnd(
    env: Record<string, string>,
    under: readonly string[] = [],
  ): Promise<{ code: number | null; lines: string[]; stdout: string }> {
    const all = plainEnvironment({
      DATA_DIR: join(folder.path, 'data'),
      PORT: String(await freePort()),
      SMTP_PORT: 'off',
      ...env,
    });
    const { child } = await startScript(serverScript(), [], all, under);
    const text = { stdout: '', stderr: '' };
    for (const name of ['stdout', 'stderr'] as const)
      child[name]?.on('data', (chunk: Buffer) => (text[name] += chunk.toString()));
    const [code] = (await once(child, 'close')) as [number | null];
    return { code, lines: text.stderr.split('\n').filter((line) => line !== ''), stdout: text.stdout };
  }

  test('names the port that is taken, and exits 1', async () => {
    const server = createServer().listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    const { code, lines, stdout } = await startAndEnd({ PORT: String(port) });
    server.close();
    expect(lines).toEqual([expect.stringMatching(new RegExp(`^qinbox: .*${port} is taken`))]);
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
  });

  test('names DATA_DIR when it cannot be written, and exits 78', async () => {
    const file = join(folder.path, 'a-file');
    writeFileSync(file, '');
    const { code, lines, stdout } = await startAndEnd({ DATA_DIR: join(file, 'data') });
    expect(lines).toEqual([expect.stringMatching(/^qinbox: DATA_DIR .*a-file\/data/)]);
    expect({ code, stdout }).toEqual({ code: 78, stdout: '' });
  });

  test.skipIf(!existsSync('/proc/self'))('names DATA_DIR where the system makes no folder', async () => {
    const { code, lines, stdout } = await startAndEnd({ DATA_DIR: '/proc/nothing/data' });
    expect(lines).toEqual([
      'qinbox: DATA_DIR must be a folder that can be written: /proc/nothing/data (ENOENT)',
    ]);
    expect({ code, stdout }).toEqual({ code: 78, stdout: '' });
  });

  test('of a second server on the same folder names the folder, and exits 1; after a kill -9 the next one is let in', async () => {
    const dataDir = join(folder.path, 'shared');
    const first = await startProgram({ dataDir });
    const { code, lines, stdout } = await startAndEnd({ DATA_DIR: dataDir });
    expect(lines).toEqual([
      `qinbox: Another Qinbox server is running on the folder ${dataDir}. Stop that one first, or choose another DATA_DIR.`,
    ]);
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    const key = createKey(dataDir);
    const answer = await fetch(`${first.url}/api/v1/tasks`, { headers: { 'x-api-key': key } });
    expect(answer.status).toBe(200);
    await first.kill();
    const next = await startProgram({ dataDir });
    expect(await next.stop()).toBe(0);
  });

  test.skipIf(!canTrace)('on a file system without locks names the folder, and exits 1', async () => {
    const dataDir = join(folder.path, 'no-locks');
    const files = ['server.lock', 'server.lock.probe'].flatMap((name) => ['-P', join(dataDir, name)]);
    const inject = ['-e', 'trace=fcntl', '-e', 'inject=fcntl:error=ENOLCK'];
    const under = ['strace', '-f', '-qq', '-o', '/dev/null', ...files, ...inject];
    const { code, lines, stdout } = await startAndEnd({ DATA_DIR: dataDir }, under);
    expect(lines).toEqual([
      `qinbox: The file system of the folder ${dataDir} has no locks, which SQLite needs. Choose a DATA_DIR on a local disk.`,
    ]);
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
  });

  test.skipIf(!canMount)('on a full disk says so, and keeps no later start from working', async () => {
    const dataDir = join(folder.path, 'small');
    mkdirSync(dataDir);
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=1m', 'tmpfs', dataDir]);
    try {
      execFileSync('sh', ['-c', `cat /dev/zero > ${dataDir}/filler 2>/dev/null || true`]);
      const { code, lines, stdout } = await startAndEnd({ DATA_DIR: dataDir });
      expect(lines).toEqual([expect.stringMatching(/^qinbox: DATA_DIR is on a disk that is full: .*small/)]);
      expect({ code, stdout }).toEqual({ code: 78, stdout: '' });
      expect(existsSync(join(dataDir, 'jwt-secret'))).toBe(false);
      rmSync(join(dataDir, 'filler'));
      // What an earlier version left behind.
      writeFileSync(join(dataDir, 'jwt-secret'), '');
      const program = await startProgram({ dataDir });
      expect(readFileSync(join(dataDir, 'jwt-secret'), 'utf8')).toMatch(/^[\w-]{64}$/);
      expect(await program.stop()).toBe(0);
    } finally {
      execFileSync('umount', ['-l', dataDir]);
    }
  });

  test.each([
    ['PORT', 'eighty', /whole number/],
    ['PORT', '65536', /65535/],
    ['PUBLIC_URL', 'qinbox.example.com', /https:/],
    ['RATE_LIMIT_PER_MINUTE', '0', /from 1/],
    ['MAX_TASKS_PER_OWNER', '0', /from 1/],
    ['MAX_BYTES_PER_OWNER', '256MiB', /whole number/],
    ['LOG_LEVEL', 'loud', /fatal/],
    ['JWT_SECRET', 'short', /32 characters/],
    ['JWT_SECRET_FILE', '/dev/null', /with the value in it: \/dev\/null is empty/],
  ])('names the variable %s=%s and what it must be, and exits 78', async (name, value, mustBe) => {
    const { code, lines, stdout } = await startAndEnd({ [name]: value });
    expect(lines).toEqual([expect.stringMatching(mustBe)]);
    expect(lines[0]).toMatch(new RegExp(`^qinbox: ${name} must be`));
    expect({ code, stdout }).toEqual({ code: 78, stdout: '' });
  });
});
