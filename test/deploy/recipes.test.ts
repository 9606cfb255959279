// The recipes for cron and systemd, from the very files that readers copy: their commands run as cron and
// systemd run them, against the real program.
import { spawnSync } from 'node:child_process';
import { chmodSync, cpSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { hostname } from 'node:os';
import { dirname, join, relative } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { freePort, plainEnvironment, root } from '#test/program/program.ts';
import { findProgram } from '#test/services/service.ts';
import { PLACE, recipes, runToEnd, startRecipeStage, type RecipeStage } from './recipe-stage.ts';

const text = (...path: string[]) => readFileSync(join(recipes, ...path), 'utf8');

let stage: RecipeStage;
let bin: string;
let env: Record<string, string>;
beforeAll(async () => {
  stage = await startRecipeStage();
  bin = join(stage.folder, 'bin');
  mkdirSync(bin);
  cpSync(join(recipes, 'qinbox-notify'), join(bin, 'qinbox-notify'));
  program('qinbox', `exec ${process.execPath} ${join(root, 'cli', 'qinbox.mjs')} "$@"`);
  env = { ...plainEnvironment({ HOME: stage.folder, NODE_NO_WARNINGS: '1' }) };
  env['PATH'] = `${bin}:${env['PATH']}`;
});
afterEach(async () => void (await takeTasks()));
afterAll(() => stage?.close());

/** Makes a script of this name that is found first. */
function program(name: string, script: string): void {
  writeFileSync(join(bin, name), `#!/bin/sh\n${script}\n`);
  chmodSync(join(bin, name), 0o755);
}

let settingsFiles = 0;

/** The settings file that readers copy, with the address and key of this server. */
function settings(key = stage.key, url = stage.program.url): string {
  const path = join(stage.folder, `${settingsFiles++}.env`);
  writeFileSync(path, text('qinbox-notify.env').replace(PLACE, url).replace('qi_your_key', key));
  return path;
}
const notify = (args: readonly string[], input = '', more: Record<string, string> = {}) =>
  runToEnd(join(bin, 'qinbox-notify'), args, { ...env, QINBOX_NOTIFY_ENV: settings(), ...more }, input);

/** What every process of the machine was started with, as all may read it. */
function commandLines(): string[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((id) => {
      try {
        return [readFileSync(`/proc/${id}/cmdline`, 'utf8')];
      } catch {
        // It ended meanwhile.
        return [];
      }
    });
}

/** The tasks in the queue; they are acknowledged. */
async function takeTasks() {
  const tasks = await stage.tasks();
  for (const { id } of tasks) await stage.call('DELETE', `/tasks/${id}`);
  return tasks;
}

it('shows on the page each file that readers copy, as it is', () => {
  const page = readFileSync(join(root, 'docs', 'recipes.md'), 'utf8');
  const files = readdirSync(recipes, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));
  expect(files.length).toBeGreaterThanOrEqual(9);
  for (const file of [...files, join(root, 'deploy', 'github-action', 'example.yml')]) {
    expect(page).toContain(`\n${readFileSync(file, 'utf8')}\`\`\`\n`);
    expect(page).toContain(`\`${relative(root, file)}\``);
  }
});

describe('qinbox-notify', () => {
  it('makes a task of any text under any key, counts a repeat, and closes it', async () => {
    const said = `Disk "full" & 91 %\n\\ \u{1F4BE} ümläut #1\n${'x'.repeat(500)}`;
    for (const time of [1, 2])
      expect(await notify(['failed', 'nas "2"\\disk', 'high'], said), `time ${time}`).toMatchObject({
        code: 0,
        out: '',
        err: '',
      });
    const [task, ...more] = await stage.tasks();
    expect(more).toEqual([]);
    expect(task).toMatchObject({
      priority: 'high',
      dedupeKey: 'nas "2"\\disk',
      occurrences: 2,
      tags: [hostname()],
    });
    expect(task?.content.split('\n').slice(0, 2)).toEqual(said.split('\n').slice(0, 2));
    expect(task?.content.split('\n')[2]).toBe('x'.repeat(400));
    expect(await notify(['well', 'nas "2"\\disk'])).toMatchObject({ code: 0, err: '' });
    expect(await stage.tasks()).toEqual([]);
  });

  it('says what is wrong, and never the key', async () => {
    const wrong = 'qi_wrong_key_of_a_test';
    const cases = [
      [await notify(['failed', 'k'], 'x', { QINBOX_NOTIFY_ENV: settings(wrong) }), /401/],
      [await notify(['failed', 'k', 'urgent'], 'x', { QINBOX_NOTIFY_ENV: settings() }), /priority/],
      [await notify(['well', 'k'], '', { QINBOX_NOTIFY_ENV: '/nowhere' }), /QINBOX_URL and QINBOX_KEY/],
    ] as const;
    for (const [{ code, err }, said] of cases) {
      expect(code).toBe(1);
      expect(err).toMatch(said);
      expect(err).not.toContain(wrong);
    }
    for (const args of [[], ['failed'], ['run', 'k'], ['what', 'k']]) {
      const { code, err } = await notify(args);
      expect([code, err]).toEqual([64, expect.stringContaining('qinbox-notify run KEY COMMAND')]);
    }
    expect(await stage.tasks()).toEqual([]);
  });

  it('shows the key to nobody who looks at processes, and repeats a call without a second task', async () => {
    const seen: string[] = [];
    const keys: unknown[] = [];
    const server = createServer((incoming, outgoing) => {
      incoming.resume();
      keys.push(incoming.headers['idempotency-key']);
      seen.push(...commandLines());
      outgoing.writeHead(keys.length === 1 ? 503 : 201).end('{}');
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    onTestFinished(() => void server.close());
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const told = await notify(['failed', 'k'], 'x', { QINBOX_NOTIFY_ENV: settings(stage.key, url) });
    expect(told.code).toBe(0);
    expect(seen.some((line) => line.includes('dedupeKey=k'))).toBe(true);
    expect(seen.filter((line) => line.includes(stage.key))).toEqual([]);
    expect([keys.length, new Set(keys).size]).toEqual([2, 1]);
  });

  it('makes a task of what has no text, or more of it than a task has room for', async () => {
    for (const [key, said] of [
      ['none', ''],
      ['long', 'disk full, line after line\n'.repeat(20_000)],
    ] as const)
      expect(await notify(['failed', key], said), key).toEqual({ code: 0, out: '', err: '' });
    const [long, none] = await stage.tasks();
    expect(none).toMatchObject({ content: 'none', dedupeKey: 'none' });
    expect(long?.content).toMatch(/^(disk full, line after line\n){300}/);
  });

  it('needs no iconv', async () => {
    const few = join(stage.folder, 'few');
    mkdirSync(few);
    for (const name of ['curl', 'cut', 'head', 'od', 'sed', 'tr', 'uname']) {
      const found = findProgram(name);
      if (found !== null) symlinkSync(found, join(few, name));
    }
    const said = 'full: 91 % \u{1F4BE}';
    expect(await notify(['failed', 'k'], said, { PATH: few })).toEqual({ code: 0, out: '', err: '' });
    expect((await stage.tasks()).map(({ content, dedupeKey }) => [content.slice(0, 10), dedupeKey])).toEqual([
      ['full: 91 %', 'k'],
    ]);
  });

  it('makes a task of each of two that fail in the same second under the same process id', async () => {
    program('date', 'echo 1795796504');
    const both = `( set -- failed one; . "$0" ) </dev/null; ( set -- failed two; . "$0" ) </dev/null`;
    const told = await runToEnd('/bin/sh', ['-c', both, join(bin, 'qinbox-notify')], {
      ...env,
      QINBOX_NOTIFY_ENV: settings(),
    });
    expect(told).toEqual({ code: 0, out: '', err: '' });
    expect((await stage.tasks()).map(({ content }) => content)).toEqual(['two', 'one']);
  });

  it('passes on output and exit code of a command, whatever becomes of the task', async () => {
    program('job', 'seq 30; echo bad >&2; exit "$CODE"');
    const failed = await notify(['run', 'job', 'job', '--all'], '', { CODE: '3' });
    expect([failed.code, failed.out.endsWith('30\nbad\n'), failed.err]).toEqual([3, true, '']);
    const [task] = await stage.tasks();
    expect(task?.content).toMatch(/^job failed on \S+ \(exit 3\)\n\n12\n[^]*30\nbad$/);
    expect((await notify(['run', 'job', 'job'], '', { CODE: '0' })).code).toBe(0);
    expect(await stage.tasks()).toEqual([]);
    const away = settings(stage.key, `http://127.0.0.1:${await freePort()}`);
    const lost = await notify(['run', 'job', 'false'], '', {
      QINBOX_NOTIFY_ENV: away,
      CURL_HOME: stage.folder,
    });
    expect([lost.code, lost.out]).toEqual([1, '']);
    expect(lost.err).toContain('no word to Qinbox');
  });
});

describe('cron', () => {
  const lines = text('cron', 'qinbox-backup').split('\n');
  const jobs = lines.flatMap((line) => {
    const [, schedule, user, command] = /^((?:[\d*/,-]+ +){5})(\w+) +(.*)$/.exec(line) ?? [];
    return command === undefined ? [] : [{ schedule, user, command }];
  });

  it('takes each line: a comment, a variable, or five fields of time, a user and a command without %', () => {
    const others = lines.filter((line) => !/^(#.*|[A-Z]+=.*|)$/.test(line));
    expect(others).toHaveLength(jobs.length);
    expect(jobs.map(({ user }) => user)).toEqual(['root', 'root']);
    for (const { command } of jobs) expect(command).not.toContain('%');
  });

  it('runs its commands: a task when one fails, none once it succeeds', async () => {
    program('backup.sh', 'test "$1" = --full && test -e "$HOME/good"');
    program('check.sh', 'test "$1" = /srv && test -e "$HOME/good"');
    const login = { QINBOX_URL: stage.program.url, QINBOX_KEY: stage.key };
    const run = (command: string) => runToEnd('/bin/sh', ['-c', command], { ...env, ...login });
    for (const { command } of jobs) expect((await run(command)).code).toBe(1);
    expect((await stage.tasks()).map(({ content, priority }) => [content.split(' (')[0], priority])).toEqual([
      [`weekly-check failed on ${hostname()}`, 'normal'],
      ['nightly backup failed', 'high'],
    ]);
    writeFileSync(join(stage.folder, 'good'), '');
    for (const { command } of jobs) expect(await run(command)).toEqual({ code: 0, out: '', err: '' });
    expect(await stage.tasks()).toEqual([]);
  });
});

describe('systemd', () => {
  const units = ['qinbox-failed@.service', 'qinbox-well@.service'] as const;
  const valueOf = (unit: string, key: string) => new RegExp(`^${key}=(.*)$`, 'm').exec(unit)?.[1] ?? '';

  /** What systemd makes of a unit of the name that the drop-in of `backup.service` says. */
  function started(trigger: 'OnFailure' | 'OnSuccess'): { command: string[]; settings: string } {
    const name = valueOf(text('systemd', 'qinbox.conf'), trigger).replace('%n', 'backup.service');
    const [, template = '', instance = ''] = /^(.*@)(.*)\.service$/.exec(name) ?? [];
    const unit = text('systemd', `${template}.service`);
    const command = valueOf(unit, 'ExecStart').replaceAll('%i', instance).split(' ');
    return { command, settings: valueOf(unit, 'EnvironmentFile') };
  }

  it('takes the units and the drop-in for right', ({ skip }) => {
    const analyze = findProgram('systemd-analyze');
    if (analyze === null) return skip('there is no systemd-analyze');
    const at = (...path: string[]) => join(stage.folder, 'root', ...path);
    const put = (path: string, content: string) => {
      mkdirSync(dirname(at(path)), { recursive: true });
      writeFileSync(at(path), content);
    };
    const folder = 'etc/systemd/system';
    for (const name of units) put(join(folder, name), text('systemd', name));
    put(join(folder, 'backup.service.d', 'qinbox.conf'), text('systemd', 'qinbox.conf'));
    put(join(folder, 'backup.service'), '[Service]\nType=oneshot\nExecStart=/usr/local/bin/qinbox-notify\n');
    for (const target of ['sysinit', 'basic', 'shutdown', 'network-online', 'network'])
      put(join(folder, `${target}.target`), '[Unit]\n');
    put(join(folder, 'system.slice'), '[Unit]\n');
    put('usr/local/bin/qinbox-notify', text('qinbox-notify'));
    chmodSync(at('usr/local/bin/qinbox-notify'), 0o755);
    const names = ['backup.service', ...units.map((name) => name.replace('@', '@backup.service'))];
    const verify = () =>
      spawnSync(analyze, ['verify', '--man=no', `--root=${at()}`, ...names], { encoding: 'utf8' });
    expect(verify()).toMatchObject({ status: 0, stderr: '' });
    put(join(folder, units[0]), text('systemd', units[0]).replace('DynamicUser', 'DynamicUsr'));
    expect(verify().stderr).toContain('DynamicUsr');
  });

  it('makes a task of a unit that failed, with the lines of that run, and closes it after a success', async () => {
    program(
      'journalctl',
      'case "$*" in *--lines=20*_SYSTEMD_INVOCATION_ID=abc) seq 11 30 ;; *) echo "of $*" ;; esac',
    );
    const [, key] = /^(\w+)=/.exec(text('qinbox-notify.env')) ?? [];
    expect(key).toBe('QINBOX_URL');
    const start = (trigger: 'OnFailure' | 'OnSuccess', monitor: Record<string, string> = {}) => {
      const { command, settings: file } = started(trigger);
      expect([command[0], file]).toEqual(['/usr/local/bin/qinbox-notify', '/etc/qinbox-notify.env']);
      // As EnvironmentFile= gives it, which only the administrator can read.
      const given = readFileSync(settings(), 'utf8').trim().split('\n');
      const from = Object.fromEntries(given.map((line) => line.split('=') as [string, string]));
      return runToEnd(join(bin, 'qinbox-notify'), command.slice(1), {
        ...env,
        ...from,
        QINBOX_NOTIFY_ENV: '/nowhere',
        ...monitor,
      });
    };
    const monitor = {
      MONITOR_SERVICE_RESULT: 'exit-code',
      MONITOR_EXIT_STATUS: '2',
      MONITOR_INVOCATION_ID: 'abc',
    };
    expect(await start('OnFailure', monitor)).toEqual({ code: 0, out: '', err: '' });
    const [task] = await stage.tasks();
    expect(task).toMatchObject({ priority: 'high', dedupeKey: 'backup.service' });
    expect(task?.content).toMatch(/^backup\.service failed on \S+ \(exit-code 2\)\n\n11\n[^]*\n30$/);
    expect(await start('OnSuccess')).toEqual({ code: 0, out: '', err: '' });
    expect(await stage.tasks()).toEqual([]);
    await start('OnFailure');
    const [older] = await takeTasks();
    expect(older?.content).toMatch(/^backup\.service failed on \S+\n\nof .*--unit=backup\.service$/);
  });
});
