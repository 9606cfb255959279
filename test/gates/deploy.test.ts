// What the image promises: it holds what the program runs with, starts as it says, and has no secret in it.
import { execFileSync, spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import manifest from '../../package.json' with { type: 'json' };
import nodeEnv from '../../scripts/parts/node-env.json' with { type: 'json' };
import flags from '../../scripts/parts/node-flags.json' with { type: 'json' };
import { MAX_ACCOUNT_FILE_BYTES } from '#core/contract/index.ts';
import { createTestApp } from '#test/helpers/app.ts';
import { createTempDir } from '#test/helpers/temp.ts';
import { end, freePort, root, startScript } from '#test/program/program.ts';
import { waitFor } from '#test/program/wait.ts';
import { buildStages, dockerfile, dockerignore, isIgnored, readStages, type Stage } from './image.ts';

const text = (path: string) => readFileSync(join(root, path), 'utf8');

const instructions = dockerfile.flatMap((stage) => stage.instructions);
const lastStage = dockerfile.at(-1)?.instructions ?? [];
const json = (instruction: string): string[] => {
  const line = lastStage.find((one) => one.startsWith(instruction)) ?? '';
  return JSON.parse(line.slice(line.indexOf('['))) as string[];
};

describe('the image', () => {
  it('runs on the Node of this project, in a version and digest that are named', () => {
    const bases = dockerfile.map(({ from }) => from.split(' ').find((word) => word.startsWith('node:')));
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
    expect(dockerignore).toMatch(/^\*$/m);
    expect(dockerignore.replace('\n!.env.example\n', '\n')).not.toMatch(/^!.*(env|data|git)/m);
    for (const path of ['.env', '.env.local', '.git/config', 'data/qinbox.db', 'core/node_modules/x/y.js'])
      expect(isIgnored(path, dockerignore), path).toBe(true);
  });

  it('is not built where a stage lacks what its commands read', () => {
    const without = (path: string) =>
      dockerfile.map((stage) => ({
        ...stage,
        instructions: stage.instructions.map((line) => line.replace(new RegExp(` ${path}(?= )`), '')),
      }));
    const builds = (stages: Stage[]) => buildStages(createTempDir(), stages, dockerignore);
    expect(() => builds(without('\\.env\\.example'))).toThrow(/docs\/deploy\.md: there is no \.env\.example/);
    const unknown = readStages('FROM x AS built\nCOPY .env ./\n');
    expect(() => builds(unknown)).toThrow('COPY .env ./: there is no .env');
  });

  it('holds all that the program needs: it starts, serves the app, is found healthy and stops when told', async () => {
    const folder = createTempDir();
    buildStages(folder, dockerfile, dockerignore);
    const image = join(folder, 'image');
    const packages = readdirSync(join(image, 'node_modules'));
    expect(packages).toContain('fastify');
    expect(packages).not.toContain('vite');

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
    const shown = async (path: string) => (await fetch(`http://127.0.0.1:${port}${path}`)).text();
    const app = await shown('/inbox');
    expect(app).toContain('<title>Qinbox');
    for (const [, script = ''] of app.matchAll(/<script [^>]*src="([^"]+)"/g))
      expect((await fetch(`http://127.0.0.1:${port}${script}`)).status, script).toBe(200);
    expect(await shown('/docs/deploy')).toContain('Deploying Qinbox');
    expect(await shown('/cli/qinbox')).toMatch(/^#!\/usr\/bin\/env node/);
    const made = execFileSync(
      process.execPath,
      [join(image, 'dist', 'command-line.js'), 'key', 'create', '--name', 'k'],
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

describe('a proxy in front', () => {
  it('lets the largest body through: the file of an account', () => {
    const most = MAX_ACCOUNT_FILE_BYTES / 1024 / 1024;
    expect(text('docs/deploy.md')).toContain(`client_max_body_size ${most}m;`);
    expect(text('deploy/kubernetes/base/ingress.yaml')).toContain(`proxy-body-size: ${most}m\n`);
  });
});

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
