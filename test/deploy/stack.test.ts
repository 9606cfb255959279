// What the stack promises: it is what the documentation says, has no secret in it, and makes good secrets.
import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseEnv } from 'node:util';
import { describe, expect, it } from 'vitest';
import { findComposeConfig } from '#test/gates/compose/compose.ts';
import { createTempDir } from '#test/helpers/temp.ts';
import { root } from '#test/program/program.ts';

const text = (path: string) => readFileSync(join(root, path), 'utf8');

interface ComposeModel {
  services: Record<
    string,
    {
      image?: string;
      command?: string[] | null;
      environment?: Record<string, string>;
      cap_add?: string[];
      ports?: { target: number; protocol: string }[];
      networks?: Record<string, unknown>;
      volumes?: { type: string; target: string }[];
      depends_on?: Record<string, { condition: string }>;
      deploy?: { replicas?: number };
      healthcheck?: { test: string[] };
    }
  >;
  networks: Record<string, { internal?: boolean }>;
}

describe('the stack', async () => {
  const config = findComposeConfig();

  function read(env: string): { status: number | null; model: ComposeModel; err: string } {
    if ('missing' in config) throw new Error(config.missing);
    const folder = createTempDir();
    cpSync(join(root, 'docker-compose.yml'), join(folder, 'docker-compose.yml'));
    writeFileSync(join(folder, '.env'), env);
    const [command = '', ...args] = config.command(folder);
    const { status, stdout, stderr } = spawnSync(command, args, {
      cwd: folder,
      env: { PATH: process.env['PATH'] ?? '', HOME: process.env['HOME'] ?? '' },
      encoding: 'utf8',
    });
    return { status, model: (status === 0 ? JSON.parse(stdout) : {}) as ComposeModel, err: stderr };
  }
  /** What deploy/setup.sh makes of the example. */
  const env = `${text('.env.example')}
JWT_SECRET=${'s'.repeat(40)}
MONGODB_PASSWORD=mongo-password
MONGODB_ADMIN_PASSWORD=admin-password
MONGODB_KEY=mongo-key
REDIS_PASSWORD=redis-password\n`;
  const secrets = [
    'JWT_SECRET',
    'MONGODB_PASSWORD',
    'MONGODB_ADMIN_PASSWORD',
    'MONGODB_KEY',
    'REDIS_PASSWORD',
  ];

  it('is read by docker compose, with the settings of .env.example and a secret', ({ skip }) => {
    if ('missing' in config) skip(config.missing);
    const { status, err, model } = read(env);
    expect([status, err]).toEqual([0, '']);
    expect(Object.keys(model.services).toSorted()).toEqual([
      'api',
      'mongo',
      'proxy',
      'redis',
      'smtp',
      'worker',
    ]);
  });

  it.each(secrets)('refuses to start without %s, and says what to do', (name) => {
    if ('missing' in config) return expect(process.env['REQUIRE_SERVICES']).not.toBe('1');
    const { status, err } = read(env.replace(new RegExp(`^${name}=..*$`, 'm'), ''));
    expect(status).not.toBe(0);
    expect(err).toMatch(new RegExp(`${name} .*must be set in \\.env. Make it with deploy/setup.sh`));
  });

  it('runs two APIs, a worker and mail on one MongoDB and one Redis, and waits until these are healthy', ({
    skip,
  }) => {
    if ('missing' in config) skip(config.missing);
    const { api, smtp, worker } = read(env).model.services;
    expect([api?.deploy?.replicas, api?.environment?.['QINBOX_ROLES']]).toEqual([2, 'api,slack']);
    expect(worker?.environment?.['QINBOX_ROLES']).toBe('worker');
    expect(smtp?.environment).toMatchObject({ QINBOX_ROLES: 'smtp', SMTP_PORT: '2525' });
    for (const service of [api, worker, smtp]) {
      expect(service?.environment).toMatchObject({
        HOST: '0.0.0.0',
        MONGODB_URL: 'mongodb://qinbox:mongo-password@mongo:27017/qinbox?authSource=qinbox&replicaSet=qinbox',
        REDIS_URL: 'redis://:redis-password@redis:6379',
        JWT_SECRET: 's'.repeat(40),
        // What Qinbox has no use for is not given to it.
        MONGODB_ADMIN_PASSWORD: '',
        MONGODB_KEY: '',
      });
      const ready = { condition: 'service_healthy' };
      expect(service?.depends_on).toMatchObject({ mongo: ready, redis: ready });
    }
  });

  it('lets nobody but the proxy and mail be reached from outside', ({ skip }) => {
    if ('missing' in config) skip(config.missing);
    const { services, networks } = read(env).model;
    const published = Object.keys(services).filter((name) => (services[name]?.ports ?? []).length > 0);
    expect(published.toSorted()).toEqual(['proxy', 'smtp']);
    expect(services['proxy']?.ports?.map(({ target, protocol }) => `${target}/${protocol}`)).toEqual([
      '80/tcp',
      '443/tcp',
      '443/udp',
    ]);
    expect(networks['back']?.internal).toBe(true);
    for (const name of ['mongo', 'redis'])
      expect(Object.keys(services[name]?.networks ?? {})).toEqual(['back']);
  });

  it('runs MongoDB and Redis with passwords, on disk before the answer, and throws nothing out', ({
    skip,
  }) => {
    if ('missing' in config) skip(config.missing);
    const { mongo, redis } = read(env).model.services;
    expect(mongo?.command?.join(' ')).toContain('mongod --replSet qinbox --keyFile /tmp/key');
    expect(redis?.command?.join(' ')).toContain("printf 'requirepass %s");
    expect(redis?.command?.join(' ')).toContain(
      'redis-server /tmp/redis.conf --appendonly yes --appendfsync always --maxmemory-policy noeviction --maxmemory',
    );
    // Read by anybody who lists processes.
    for (const service of [mongo, redis])
      expect(service?.command?.join(' ')).not.toMatch(/password|mongo-key/);
    expect(mongo?.volumes).toContainEqual(expect.objectContaining({ type: 'volume', target: '/data/db' }));
    expect(redis?.volumes).toContainEqual(expect.objectContaining({ type: 'volume', target: '/data' }));
    for (const service of [mongo, redis]) expect(service?.healthcheck?.test[0]).toBe('CMD');
  });

  it('bounds every container, takes every right from it, and rotates its log', ({ skip }) => {
    if ('missing' in config) skip(config.missing);
    const { services } = read(env).model;
    expect(Object.keys(services)).toHaveLength(6);
    for (const [name, service] of Object.entries(services)) {
      expect(service, name).toMatchObject({
        read_only: true,
        cap_drop: ['ALL'],
        security_opt: ['no-new-privileges:true'],
        logging: { driver: 'json-file', options: { 'max-size': '10m', 'max-file': '5' } },
        deploy: {
          resources: {
            limits: {
              memory: expect.stringMatching(/^\d+$/),
              cpus: expect.anything(),
              pids: expect.any(Number),
            },
          },
        },
      });
      expect(service.cap_add ?? [], name).toEqual(name === 'proxy' ? ['NET_BIND_SERVICE'] : []);
    }
  });

  it('asks for those addresses of the APIs alone that they listen on', () => {
    expect(text('docker-compose.yml')).toMatch(/^ {2}HOST: 0\.0\.0\.0$/m);
    expect(text('deploy/Caddyfile')).toMatch(/dynamic a api 3000 \{[^}]*\n\t+versions ipv4\n/);
  });

  it('names every image by version and digest', () => {
    const images = [...text('docker-compose.yml').matchAll(/^ +image: (?!\$\{QINBOX_IMAGE)(.*)$/gm)];
    expect(images).toHaveLength(3);
    for (const [, image] of images) expect(image).toMatch(/^\w+:\d+\.\d+\.\d+@sha256:[0-9a-f]{64}$/);
  });
});

describe('deploy/setup.sh', () => {
  const names = ['JWT_SECRET', 'METRICS_TOKEN', 'MONGODB_PASSWORD', 'MONGODB_ADMIN_PASSWORD', 'MONGODB_KEY'];
  function checkout(): { run: (...args: string[]) => number | null; env: string } {
    const folder = createTempDir();
    mkdirSync(join(folder, 'deploy'));
    for (const path of ['deploy/setup.sh', '.env.example']) cpSync(join(root, path), join(folder, path));
    const run = (...args: string[]) =>
      spawnSync(join(folder, 'deploy', 'setup.sh'), args, { cwd: '/', stdio: 'ignore' }).status;
    return { run, env: join(folder, '.env') };
  }
  const values = (path: string) => parseEnv(readFileSync(path, 'utf8'));

  it('makes a secret for everything that needs one, for the owner of the file alone', () => {
    const { run, env } = checkout();
    expect(run('https://qinbox.example.com')).toBe(0);
    expect(statSync(env).mode & 0o777).toBe(0o600);
    const made = values(env);
    expect(made['PUBLIC_URL']).toBe('https://qinbox.example.com');
    const secrets = [...names, 'REDIS_PASSWORD'].map((name) => made[name]);
    for (const secret of secrets) expect(secret).toMatch(/^[0-9a-f]{64}$/);
    expect(new Set(secrets).size).toBe(secrets.length);
    expect(Object.keys(made)).toEqual(expect.arrayContaining(Object.keys(parseEnv(text('.env.example')))));
  });

  it('changes no value that is there, and adds those that are missing', () => {
    const { run, env } = checkout();
    writeFileSync(env, 'JWT_SECRET=mine\n# a remark\nREDIS_PASSWORD=\nEMAIL_SIGNIN=true\n');
    expect(run()).toBe(0);
    const first = readFileSync(env, 'utf8');
    expect(values(env)).toMatchObject({ JWT_SECRET: 'mine', EMAIL_SIGNIN: 'true' });
    expect(first).toContain('# a remark');
    expect(first.match(/^REDIS_PASSWORD=/gm)).toHaveLength(1);
    expect(run('https://other.example.com')).toBe(0);
    expect(readFileSync(env, 'utf8')).toBe(`${first}PUBLIC_URL=https://other.example.com\n`);
  });

  it('refuses what is no address, and makes nothing', () => {
    const { run, env } = checkout();
    expect(run('qinbox.example.com')).toBe(64);
    expect(existsSync(env)).toBe(false);
  });
});
