// What the image promises: it holds what the program runs with, starts as it says, and has no secret in it.
import { execFileSync, spawnSync } from 'node:child_process';
import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import lock from '../../package-lock.json' with { type: 'json' };
import manifest from '../../package.json' with { type: 'json' };
import nodeEnv from '../../scripts/parts/node-env.json' with { type: 'json' };
import flags from '../../scripts/parts/node-flags.json' with { type: 'json' };
import { createTestApp } from '#test/helpers/app.ts';
import { createTempDir } from '#test/helpers/temp.ts';
import { end, freePort, root, serverScript, startScript } from '#test/program/program.ts';
import { waitFor } from '#test/program/wait.ts';

const text = (path: string) => readFileSync(join(root, path), 'utf8');

/** The instructions of the Dockerfile, continued lines joined, comments left out. */
const instructions = text('Dockerfile')
  .split('\n')
  .filter((line) => !line.startsWith('#'))
  .join('\n')
  .replaceAll(/\\\n\s*/g, '')
  .split('\n')
  .filter((line) => line !== '');
const lastStage = instructions.slice(instructions.findLastIndex((line) => line.startsWith('FROM ')));
const json = (instruction: string): string[] => {
  const line = lastStage.find((one) => one.startsWith(instruction)) ?? '';
  return JSON.parse(line.slice(line.indexOf('['))) as string[];
};

describe('the image', () => {
  it('runs on the Node of this project, in a version and digest that are named', () => {
    const bases = instructions
      .filter((line) => line.startsWith('FROM '))
      .map((line) => line.split(' ').find((word) => word.startsWith('node:')));
    expect(bases).toHaveLength(3);
    expect(new Set(bases).size).toBe(1);
    expect(bases[0]?.replace(/[0-9a-f]{64}$/, '')).toBe(`node:${manifest.devDependencies.node}-slim@sha256:`);
  });

  it('starts the server itself, with its flags, as an account that is not root', () => {
    expect(json('CMD')).toEqual(['node', ...flags, 'dist/server.js']);
    expect(lastStage).toEqual(
      expect.arrayContaining(['USER 1000:1000', 'VOLUME /data', 'STOPSIGNAL SIGTERM']),
    );
    expect(lastStage.findIndex((line) => line.startsWith('USER'))).toBeGreaterThan(
      lastStage.findLastIndex((line) => line.startsWith('RUN')),
    );
  });

  it('tells glibc what npm start tells it, as the units of systemd do', () => {
    const env = lastStage.find((line) => line.startsWith('ENV ')) ?? '';
    const units = ['deploy/qinbox.service', 'deploy/qinbox@.service'].map(text);
    for (const place of [env, ...units])
      for (const [name, value] of Object.entries(nodeEnv))
        expect(place.split(/[\s=]+/).join(' ')).toContain(` ${name} ${value} `);
  });

  it('takes no package of development and no secret in', () => {
    expect(instructions.filter((line) => line.includes('--omit=dev'))).toHaveLength(1);
    expect(lastStage.join('\n')).not.toMatch(/npm | \.env|SECRET|TOKEN|--from=built \S*node_modules/);
    expect(text('.dockerignore')).toMatch(/^\*$/m);
    expect(text('.dockerignore')).not.toMatch(/^!.*(env|data|git)/m);
  });

  it('holds all that the program needs: it starts, serves the app, is found healthy and stops when told', async () => {
    const image = createTempDir();
    for (const line of lastStage.filter((one) => /^COPY (?!--from)/.test(one))) {
      const [, ...paths] = line.split(' ');
      const to = paths.pop() ?? '';
      for (const path of paths)
        copy(path, join(image, to.endsWith('/') ? join(to, path.split('/').at(-1) ?? '') : to));
    }
    cpSync(dirname(serverScript()), join(image, 'dist'), { recursive: true });
    linkPackages(join(image, 'node_modules'));
    mkdirSync(join(image, 'web', 'dist'), { recursive: true });
    writeFileSync(join(image, 'web', 'dist', 'index.html'), '<title>Qinbox</title>');

    const port = await freePort();
    const env = {
      PORT: String(port),
      DATA_DIR: join(image, 'data'),
      NODE_ENV: 'production',
      PATH: '/usr/bin',
    };
    const isHealthy = () => {
      const [, ...check] = json('HEALTHCHECK');
      return spawnSync(process.execPath, check, { env }).status === 0;
    };
    expect(isHealthy()).toBe(false);
    const { child, output } = await startScript(join(image, 'dist', 'server.js'), [], env);
    onTestFinished(() => end(child, 'SIGKILL'));
    await waitFor('the image to serve', async () => {
      if (child.exitCode !== null) throw new Error(output());
      return (await fetch(`http://127.0.0.1:${port}/ready`).catch(() => null))?.ok === true;
    });
    expect(isHealthy()).toBe(true);
    expect(await (await fetch(`http://127.0.0.1:${port}/inbox`)).text()).toContain('<title>Qinbox');
    const made = execFileSync(
      process.execPath,
      [join(image, 'cli', 'qinbox.mjs'), 'key', 'create', '--name', 'k'],
      {
        env,
        stdio: ['ignore', 'pipe', 'ignore'],
      },
    );
    expect(made.toString()).toMatch(/^qi_/);
    await end(child, 'SIGTERM');
    expect(child.exitCode).toBe(0);
  });
});

function copy(from: string, to: string): void {
  mkdirSync(dirname(to), { recursive: true });
  cpSync(join(root, from), to, { recursive: true, filter: (path) => !/\.test\.|node_modules/.test(path) });
}

/** The packages of production alone, as `npm ci --omit=dev` would have them at the top. */
function linkPackages(folder: string): void {
  for (const [path, entry] of Object.entries(lock.packages as Record<string, { dev?: boolean }>)) {
    const [, name, nested] = path.split('node_modules/');
    if (name === undefined || nested !== undefined || entry.dev === true || !existsSync(join(root, path)))
      continue;
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    symlinkSync(join(root, path), join(folder, name));
  }
  expect(readdirSync(folder)).toContain('fastify');
  expect(readdirSync(folder)).not.toContain('vite');
}

describe('the documentation', () => {
  it('names every measurement that there is, and none that there is not', async () => {
    const { app } = await createTestApp({ METRICS_TOKEN: 'metrics-token-of-a-test', SMTP_PORT: '0' });
    const { body } = await app.inject({
      url: '/metrics',
      headers: { authorization: 'Bearer metrics-token-of-a-test' },
    });
    const names = [...body.matchAll(/^# TYPE (qinbox_\w+)/gm)].map(([, name]) => name);
    const rows = text('docs/operations.md').matchAll(/^\| `(qinbox_\w+)`/gm);
    const documented = new Set([...rows].map(([, name]) => name));
    expect(names.length).toBeGreaterThan(5);
    expect([...documented].toSorted()).toEqual(names.toSorted());
  });

  it('runs the same command under systemd as in the image', () => {
    const [, command] = /^ExecStart=\S+\/(node .*)$/m.exec(text('deploy/qinbox.service')) ?? [];
    expect(command?.split(' ')).toEqual(json('CMD'));
  });
});
