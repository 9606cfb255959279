// The recipes for Home Assistant and Proxmox, from the very files that readers copy: the requests that they
// describe are made, with the templates of those programs, and sent to the real program.
import { chmodSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { plainEnvironment } from '#test/program/program.ts';
import { installModules } from '#test/services/javascript.ts';
import { PLACE, recipes, runToEnd, startRecipeStage, type RecipeStage } from './recipe-stage.ts';
import { tool, tools } from './tools.ts';

const text = (...path: string[]) => readFileSync(join(recipes, ...path), 'utf8');
const modules = await installModules('deploy-js', join(import.meta.dirname, 'javascript'));
if ('missing' in modules && process.env['REQUIRE_SERVICES'] === '1') throw new Error(modules.missing);

let stage: RecipeStage;
beforeAll(async () => {
  stage = await startRecipeStage();
});
afterAll(() => stage?.close());

interface Sent {
  method: string;
  url: string;
  headers: Record<string, string>;
  body: string;
}

/** Sends one; its address is that of the server here. */
async function send({ method, url, headers, body }: Sent): Promise<number> {
  expect(url.startsWith(PLACE)).toBe(true);
  const answer = await fetch(url.replace(PLACE, stage.program.url), { method, headers, body });
  await answer.text();
  return answer.status;
}

describe('Home Assistant', () => {
  it('sends a task for what happens, and closes it when it is over', async ({ skip }) => {
    if ('missing' in tools) return skip(tools.missing);
    const { env } = tool('python3');
    const name = 'Sensor "under" the sink';
    const args = [
      join(import.meta.dirname, 'home-assistant.py'),
      join(recipes, 'home-assistant', 'qinbox.yaml'),
      JSON.stringify({ name, state: '12' }),
      JSON.stringify({ qinbox_key: stage.key }),
    ];
    const { out, err } = await runToEnd('python3', args, env);
    expect(err).toBe('');
    const sent = JSON.parse(out) as (Sent & { automation: string })[];
    const of = (automation: string) => sent.filter((one) => one.automation === automation);
    expect(sent.map(({ automation }) => automation)).toEqual([
      'qinbox_leak',
      'qinbox_leak_over',
      'qinbox_battery',
    ]);
    for (const one of [...of('qinbox_leak'), ...of('qinbox_leak'), ...of('qinbox_battery')])
      expect(await send(one)).toBe(201);
    expect(await stage.tasks()).toMatchObject([
      { content: `${name} has 12 % left`, priority: 'normal', dedupeKey: 'sensor.door_battery' },
      {
        content: `Water: ${name}`,
        priority: 'high',
        occurrences: 2,
        tags: ['home'],
        source: 'home-assistant',
      },
    ]);
    for (const one of of('qinbox_leak_over')) expect(await send(one)).toBe(200);
    expect((await stage.tasks()).map(({ dedupeKey }) => dedupeKey)).toEqual(['sensor.door_battery']);
    await stage.call('POST', '/tasks/resolve', { dedupeKeys: ['sensor.door_battery'] });
  });
});

/** A notification, as Proxmox gives it to templates (proxmox-notify, endpoints/webhook.rs). */
interface Notification {
  title: string;
  message: string;
  severity: 'info' | 'notice' | 'warning' | 'error' | 'unknown';
  timestamp: number;
  fields: Record<string, string>;
}

interface Handlebars {
  create(): {
    registerHelper(name: string, helper: (value: unknown) => unknown): void;
    compile(template: string, options: object): (data: object) => string;
  };
}

/** The calls of `pvesh` that the script of the recipe makes, as lists of arguments. */
async function callsOf(url: string, secret: string): Promise<string[][]> {
  const bin = join(stage.folder, 'bin');
  mkdirSync(bin, { recursive: true });
  const calls = join(stage.folder, 'calls');
  writeFileSync(join(bin, 'pvesh'), `#!/bin/sh\nprintf '%s\\0' "$@" --end >>'${calls}'\n`);
  chmodSync(join(bin, 'pvesh'), 0o755);
  const env = plainEnvironment();
  env['PATH'] = `${bin}:${env['PATH']}`;
  const ended = await runToEnd('sh', [join(recipes, 'proxmox', 'add-target.sh'), url], env, `${secret}\n`);
  expect(ended).toEqual({ code: 0, out: '', err: '' });
  const words = readFileSync(calls, 'utf8').split('\0--end\0').slice(0, -1);
  return words.map((call) => call.split('\0'));
}

const decoded = (base64: string) => Buffer.from(base64, 'base64').toString();

describe('Proxmox VE', () => {
  /** What a node sends for a notification, from the arguments of `pvesh create`. */
  function requestOf(args: readonly string[], notification: Notification): Sent {
    if ('missing' in modules) throw new Error(modules.missing);
    const load = createRequire(join(modules.path, 'package.json'));
    const handlebars = (load('handlebars') as Handlebars).create();
    handlebars.registerHelper('json', (value) => JSON.stringify(value ?? null));
    const all = (name: string) => args.flatMap((word, at) => (args[at - 1] === name ? [word] : []));
    const pair = (word: string): [string, string] => {
      const [, name = '', value = ''] = /^name=([^,]+),value=(.*)$/.exec(word) ?? [];
      return [name, decoded(value)];
    };
    const secrets = Object.fromEntries(all('--secret').map(pair));
    // Proxmox escapes nothing; what is missing is empty.
    const render = (template: string) =>
      handlebars.compile(template, { noEscape: true })({ ...notification, secrets });
    return {
      method: all('--method').join().toUpperCase(),
      url: render(all('--url').join()),
      headers: Object.fromEntries(
        all('--header')
          .map(pair)
          .map(([name, value]) => [name, render(value)]),
      ),
      body: render(decoded(all('--body').join())),
    };
  }

  it('sends what its jobs say: one task for a backup that fails, closed by one that succeeds', async ({
    skip,
  }) => {
    if ('missing' in modules) return skip(modules.missing);
    const secret = 'a secret, with "quotes" of 40 characters';
    const wanted = JSON.parse(text('proxmox', 'intake.json')) as { verification: object };
    const { intake } = await stage.call('POST', '/intakes', {
      ...wanted,
      verification: { ...wanted.verification, secret },
    });
    const { pathname } = new URL((intake as { address: string }).address);
    const [target = [], matcher = []] = await callsOf(`${PLACE}${pathname}`, secret);
    expect([target.slice(0, 2), matcher]).toEqual([
      ['create', '/cluster/notifications/endpoints/webhook'],
      ['create', '/cluster/notifications/matchers', '--name', 'qinbox', '--target', 'qinbox'],
    ]);
    const backup: Notification = {
      title: 'vzdump backup status (pve1): backup failed',
      message: `Details\n=======\nVMID  Name\n100   "web"\n\n${'log of the backup\n'.repeat(2000)}`,
      severity: 'error',
      timestamp: 1_795_000_000,
      fields: { type: 'vzdump', hostname: 'pve1', 'job-id': 'backup-1' },
    };
    for (const time of [1, 2])
      expect(await send(requestOf(target, { ...backup, timestamp: backup.timestamp + time }))).toBe(202);
    expect(await send(requestOf(target, { ...backup, fields: { type: 'vzdump', hostname: 'pve2' } }))).toBe(
      202,
    );
    const mail = { title: 'SMART error on /dev/sda', message: 'It may fail.', severity: 'unknown' as const };
    expect(await send(requestOf(target, { ...backup, ...mail, fields: { type: 'system-mail' } }))).toBe(202);
    const other = { ...mail, title: 'SMART error on /dev/sdb' };
    expect(await send(requestOf(target, { ...backup, ...other, fields: { type: 'system-mail' } }))).toBe(202);
    const [sdb, smart, second, first] = await stage.tasks();
    expect(sdb?.content).toContain('/dev/sdb');
    expect(smart).toMatchObject({ content: `${mail.title}\n\n${mail.message}`, priority: 'normal' });
    expect(second).toMatchObject({ occurrences: 1 });
    expect(first).toMatchObject({ priority: 'high', occurrences: 2, tags: ['proxmox', 'vzdump'] });
    expect(first?.content).toMatch(
      /^vzdump backup status \(pve1\): backup failed\n\nDetails\n=+\nVMID {2}Name/,
    );
    const done = {
      ...backup,
      title: 'vzdump backup status (pve1): backup successful',
      severity: 'info' as const,
    };
    expect(await send(requestOf(target, done))).toBe(202);
    expect((await stage.tasks()).map(({ id }) => id)).toEqual([sdb, smart, second].map((task) => task?.id));
    const forged = requestOf(target, done);
    expect(await send({ ...forged, headers: { ...forged.headers, Authorization: 'Bearer wrong' } })).toBe(
      401,
    );
  });
});
