// The clients that are programs of their own: Shoutrrr and Alertmanager, built by Go here; those of ntfy and
// Gotify where NTFY and GOTIFY_CLI name their binaries; the code of Uptime Kuma and Healthchecks where
// UPTIME_KUMA and HEALTHCHECKS name their sources. Each that is missing is skipped by its name.
// `npm run test:clients`.
import { execFile, spawn, type ChildProcess } from 'node:child_process';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { shortTokenOf } from '#core/domain/intake-token.ts';
import { end, freePort, plainEnvironment } from '#test/program/program.ts';
import { waitFor } from '#test/program/wait.ts';
import { cacheFolder, complaintOf, type Sought } from '#test/services/cache.ts';
import { installModules } from '#test/services/javascript.ts';
import { installPackages } from '#test/services/python.ts';
import { findProgram } from '#test/services/service.ts';
import { commandPairs, PROGRAMS, receivers } from './commands.ts';
import { afterTwo } from './pairs.ts';
import { startSender, type Sender } from './sender.ts';
import { createStage, type Stage } from './stage.ts';
import { healthchecksPairs, kumaPairs } from './tools.ts';

const run = promisify(execFile);

/** The program at its pinned version, built now if it was not. */
async function install(name: keyof typeof PROGRAMS): Promise<Sought> {
  const source = PROGRAMS[name];
  if (typeof source === 'object') {
    const path = process.env[source.variable] ?? '';
    return path === '' ? { missing: `${name}: no binary is named by ${source.variable}` } : { path };
  }
  const go = findProgram('go') ?? '/usr/local/go/bin/go';
  const folder = join(cacheFolder(), `go-${source.replace(/[^\w.]+/g, '-')}`);
  const path = join(folder, name);
  if (existsSync(path)) return { path };
  try {
    await run(go, ['install', source], { env: { ...process.env, GOBIN: folder } });
    return { path };
  } catch (error) {
    return { missing: `${name} could not be built (${complaintOf(error)})` };
  }
}

const programs = {
  ntfy: await install('ntfy'),
  gotify: await install('gotify'),
  shoutrrr: await install('shoutrrr'),
  alertmanager: await install('alertmanager'),
};

let stage: Stage;
beforeAll(async () => {
  stage = await createStage();
});
afterAll(() => stage?.close());

describe('a published program', () => {
  it.for(commandPairs.map((pair) => [`${pair.program} to ${pair.setting}`, pair] as const))(
    '%s',
    async ([, { program, args, preset, task }], { skip }) => {
      const found = programs[program];
      if ('missing' in found) return skip(found.missing);
      const token = await stage.intake(preset);
      const { url, tlsUrl, authority: SSL_CERT_FILE } = stage;
      const at = {
        host: new URL(url).host,
        url,
        tlsHost: new URL(tlsUrl).host,
        token,
        short: shortTokenOf(token),
      };
      // Exit code 0, or it rejects.
      for (let time = 0; time < 2; time++)
        await run(found.path, args(at), { env: plainEnvironment({ SSL_CERT_FILE }) });
      expect(await stage.takeTasks()).toMatchObject([afterTwo(task)]);
    },
  );
});

/** A tool whose own code sends, where its sources are named. */
const tools = {
  'Uptime Kuma': {
    pairs: kumaPairs,
    by: 'javascript',
    install: () => installModules('clients-js', join(import.meta.dirname, 'javascript')),
    sources: { UPTIME_KUMA: process.env['UPTIME_KUMA'] ?? '' },
  },
  Healthchecks: {
    pairs: healthchecksPairs,
    by: 'healthchecks',
    install: () => installPackages('healthchecks', join(import.meta.dirname, 'healthchecks.txt')),
    sources: { HEALTHCHECKS: process.env['HEALTHCHECKS'] ?? '' },
  },
} as const;

describe.each(Object.entries(tools))('the code of %s', (_tool, { pairs, by, install, sources }) => {
  let sender: Sender | undefined;
  afterAll(() => sender?.close());

  it.for(pairs.map((pair) => [pair.setting, pair] as const))(
    '%s',
    async ([, { client, preset, task }], { skip }) => {
      const [name, path] = Object.entries(sources)[0] ?? ['', ''];
      if (path === '') return skip(`no sources are named by ${name}`);
      const packages = await install();
      if ('missing' in packages) return skip(packages.missing);
      sender ??= startSender(by, stage, packages.path, sources);
      const token = await stage.intake(preset);
      for (let time = 0; time < 2; time++)
        expect(await sender.send(client, token)).toMatchObject({ ok: true });
      expect(await stage.takeTasks()).toMatchObject(task === null ? [] : [afterTwo(task)]);
    },
  );
});

describe('Alertmanager', () => {
  async function startAlertmanager(path: string, receiver: string): Promise<string> {
    const port = await freePort();
    const folder = join(stage.folder, `alertmanager-${port}`);
    mkdirSync(folder);
    const config = join(folder, 'alertmanager.yml');
    const route = 'route: {receiver: r, group_wait: 1s, group_interval: 1s, repeat_interval: 1h}';
    writeFileSync(config, `${route}\nreceivers:\n- name: r\n  ${receiver}\n`);
    const listen = [`--web.listen-address=127.0.0.1:${port}`, '--cluster.listen-address='];
    const args = [`--config.file=${config}`, `--storage.path=${folder}`, ...listen];
    const child: ChildProcess = spawn(path, args, { stdio: 'ignore', env: plainEnvironment() });
    onTestFinished(() => end(child, 'SIGTERM'));
    const url = `http://127.0.0.1:${port}`;
    await waitFor('Alertmanager', async () => (await fetch(`${url}/-/ready`).catch(() => null))?.ok === true);
    return url;
  }

  async function alert(url: string, endsAt?: string): Promise<void> {
    const labels = { alertname: 'DiskFull', instance: 'nas-2', severity: 'critical' };
    const annotations = { summary: 'The disk is full' };
    const answer = await fetch(`${url}/api/v2/alerts`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify([{ labels, annotations, ...(endsAt === undefined ? {} : { endsAt }) }]),
    });
    expect(answer.ok).toBe(true);
  }

  /** How many notifications it counts as sent, and as failed. */
  async function counted(url: string): Promise<{ sent: number; failed: number }> {
    const metrics = await (await fetch(`${url}/metrics`)).text();
    const sum = (name: string) =>
      [...metrics.matchAll(new RegExp(`^${name}\\{[^}]*\\} (\\d+)$`, 'gm'))].reduce(
        (total, [, count]) => total + Number(count),
        0,
      );
    return {
      sent: sum('alertmanager_notifications_total'),
      failed: sum('alertmanager_notifications_failed_total'),
    };
  }

  it.for(receivers.map((pair) => [pair.setting, pair] as const))(
    'to %s',
    async ([, { config, resolves }], { skip }) => {
      const found = programs.alertmanager;
      if ('missing' in found) return skip(found.missing);
      const url = await startAlertmanager(found.path, config(stage.url, await stage.intake()));
      await alert(url);
      await waitFor('the alert', async () => (await stage.tasks()).length === 1);
      expect(await stage.tasks()).toMatchObject([{ content: expect.stringContaining('DiskFull') as string }]);
      await alert(url, new Date().toISOString());
      const left = resolves ? 0 : 2;
      await waitFor('its end', async () => (await stage.tasks()).length === left);
      await waitFor('the answer', async () => (await counted(url)).sent === 2);
      expect(await counted(url)).toEqual({ sent: 2, failed: 0 });
      expect(await stage.takeTasks()).toHaveLength(left);
    },
  );
});
