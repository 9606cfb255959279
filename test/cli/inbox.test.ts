// The inbox in the terminal: in a real one, on a real server, with keys that are typed and a screen that
// is read.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, expect, it, onTestFinished } from 'vitest';
import type { Task } from '#core/contract/index.ts';
import { freePort, root, startProgram } from '#test/program/program.ts';
import { waitFor } from '#test/program/wait.ts';
import { ONE_FILE, startStage, type Stage } from './stage.ts';
import { openTerminal, type Terminal, type TerminalOptions } from './terminal.ts';

let stage: Stage;
beforeAll(async () => {
  stage = await startStage('cli-inbox', { RATE_LIMIT_PER_MINUTE: '1000' });
  Object.assign(stage.env, {
    QINBOX_URL: stage.program.url,
    QINBOX_KEY: stage.key,
    PATH: `${stage.home}:${stage.env['PATH']}`,
  });
});
afterAll(async () => {
  // A test starts another one in its place.
  await stage?.program.stop();
  await stage?.close();
});

async function ask<T>(method: string, path: string, body?: unknown): Promise<T> {
  const answer = await fetch(`${stage.program.url}/api/v1${path}`, {
    method,
    headers: { 'x-api-key': stage.key, 'content-type': 'application/json' },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  return (await answer.json()) as T;
}

const list = async (query = '') => (await ask<{ tasks: Task[] }>('GET', `/tasks${query}`)).tasks;
const contents = async () => (await list()).map(({ content }) => content);

/** Makes tasks one after another: the last one is the first in the list. */
async function make(...tasks: (string | Partial<Task>)[]): Promise<void> {
  for (const task of tasks) await ask('POST', '/tasks', typeof task === 'string' ? { content: task } : task);
}

beforeEach(async () => {
  const ids = [...(await list()), ...(await list('?snoozed=true'))].map(({ id }) => id);
  if (ids.length > 0) await ask('POST', '/tasks/acknowledge', { ids });
});

function open(options: Partial<TerminalOptions> = {}, args: readonly string[] = []): Terminal {
  const terminal = openTerminal([process.execPath, ONE_FILE, ...args], {
    ...options,
    env: { ...stage.env, ...options.env },
  });
  onTestFinished(terminal.kill);
  return terminal;
}

it('triages with the keys of the web app, and takes each action back', async () => {
  await make({ content: 'disk full', tags: ['nas'] }, 'renew certificate', {
    content: 'backup failed',
    priority: 'high',
  });
  const terminal = open();
  await terminal.shows(
    /› {3}▲ backup failed +now\n {4}● renew certificate +now\n {4}● disk full #nas +now\n/,
  );
  expect(await terminal.shows('live')).toMatch(/^Qinbox \S+ +▲ 1 {2}● 2 {2}▽ 0 {2}live\n/);

  terminal.type('je');
  await terminal.shows('Acknowledged 1 item. z undoes.');
  await terminal.shows(/› {3}● disk full/);
  expect(await contents()).toEqual(['backup failed', 'disk full']);
  terminal.type('z');
  await terminal.shows('Undone: Acknowledged 1 item.');
  await terminal.shows(/› {3}● renew certificate/);

  terminal.type('xJp');
  await terminal.shows('Pinned 2 items');
  expect((await list('?pinned=true')).map(({ content }) => content)).toEqual([
    'renew certificate',
    'disk full',
  ]);
  terminal.type('z');
  await terminal.shows('Undone: Pinned 2 items');
  expect(await list('?pinned=true')).toEqual([]);

  terminal.type('gh');
  await terminal.shows('Snooze until:');
  terminal.type('2h\r');
  await terminal.shows(/Snoozed 1 item until [A-Z][a-z]{2} \d{4}-\d{2}-\d{2} \d{2}:\d{2} UTC/);
  expect((await list('?snoozed=true')).map(({ content }) => content)).toEqual(['backup failed']);
  terminal.type('z');
  await terminal.shows(/› {3}▲ backup failed/);
  expect(await list('?snoozed=true')).toEqual([]);

  terminal.type('t');
  await terminal.shows('Tags:');
  terminal.type('nas, night\r');
  await terminal.shows('backup failed #nas #night');
  terminal.type('ccall Ann #home !low ~2h\r');
  await terminal.shows(/› {3}▽ call Ann #home/);
  expect((await list()).find(({ content }) => content === 'call Ann')).toMatchObject({
    priority: 'low',
    tags: ['home'],
  });
  terminal.type('q');
  expect(await terminal.ended).toBe(0);
});

it('looks as docs/cli.md shows it', async () => {
  await make(
    { content: 'certificate of shop.example.com ends in 6 days', tags: ['tls'] },
    { content: 'renew passport', priority: 'low', pinned: true },
    { content: 'disk full', tags: ['nas'], dedupeKey: 'nas/disk' },
    { content: 'disk full', dedupeKey: 'nas/disk' },
    { content: 'deploy of api failed', tags: ['ci'], priority: 'high' },
  );
  const terminal = open({ columns: 76, rows: 8 });
  await terminal.shows('live');
  terminal.type('jxjxk');
  await terminal.shows(/2 selected[^]*› ✓ ▲/);
  const host = 'inbox.example.com';
  const shown = terminal
    .screen()
    .join('\n')
    .replace(/127\.0\.0\.1:\d+ +/, (found) => host.padEnd(found.length))
    .replaceAll(/ \dm$/gm, 'now');
  const [, , text] =
    /## The inbox in the terminal(.*?)```text\n(.*?)\n```/su.exec(
      readFileSync(join(root, 'docs', 'cli.md'), 'utf8'),
    ) ?? [];
  expect(text).toBe(shown);
});

it('is live, finds again what happened while the server was away, and says so meanwhile', async () => {
  const terminal = open();
  await terminal.shows('Queue is empty');
  await make('made elsewhere');
  await terminal.shows(/› {3}● made elsewhere/);
  await ask('POST', '/tasks/acknowledge', { ids: (await list()).map(({ id }) => id) });
  await terminal.shows('Queue is empty');
  await stage.program.stop();
  await terminal.shows(/not connected\n/);
  await terminal.shows('The connection is lost; trying again in');
  terminal.type('.');
  await terminal.shows('does not answer');
  stage.program = await startProgram({
    dataDir: stage.dataDir,
    port: stage.program.port,
    env: { RATE_LIMIT_PER_MINUTE: '1000' },
  });
  await make('made meanwhile');
  expect(await terminal.shows(/live\n› {3}● made meanwhile/)).not.toContain('does not answer');
});

it('searches, filters, opens, and shows its keys', async () => {
  writeFileSync(join(stage.home, 'xdg-open'), `#!/bin/sh\nprintf %s "$1" > '${stage.home}/opened'\n`, {
    mode: 0o755,
  });
  await make(
    { content: 'disk full', tags: ['nas'], priority: 'high' },
    { content: 'deploy failed\nSee (https://ci.example.com/1?a=b).', metadata: { body: 'exit code 3' } },
    'note to self',
  );
  const terminal = open();
  await terminal.shows('note to self');
  terminal.type('/#nas\r');
  expect(await terminal.shows(/^Qinbox \/ #nas .*\n› {3}▲ disk full #nas/)).not.toContain('note to self');
  terminal.type('\u001b');
  await terminal.shows('note to self');
  terminal.type('1');
  expect(await terminal.shows(/^Qinbox \/ priority:high .*\n› {3}▲ disk full/)).not.toContain('note to self');
  terminal.type('0gj\r');
  expect(await terminal.shows('See (https://ci.example.com/1?a=b).')).toMatch(
    /exit code 3\n[^]*Source {4}api/,
  );
  terminal.type('o');
  await terminal.shows('Opened https://ci.example.com/1?a=b');
  terminal.type('j');
  await terminal.shows('▲ high');
  terminal.type('\u001b');
  await terminal.shows('note to self');
  terminal.type('?');
  await terminal.shows(/Acknowledge\n/);
  terminal.type('\u001b');
  await terminal.shows('e ack · p pin');
});

it('lets no text command the terminal, and no pasted text act as keys', async () => {
  await make({
    content: 'bell \u0007 \u001b[2J\u001b]0;title\u0007 \u202egnp\u200f',
    tags: ['\u001b[31mred'],
    metadata: { body: 'line\u001b[1;1Hhome\u009b2J' },
  });
  const terminal = open({ env: { NO_COLOR: '1' } });
  await terminal.shows('bell');
  terminal.type('\u001b[200~eee\u001b[201~');
  await terminal.shows('Press c before you paste');
  terminal.type('\r');
  await terminal.shows('home');
  terminal.type('\u001b');
  await terminal.shows(/^e ack/m);
  terminal.type('c\u001b[200~one\ntwo\u001b[31m\u001b[201~\r');
  await terminal.shows(/● one two/);
  expect(await contents()).toHaveLength(2);
  terminal.type('q');
  expect(await terminal.ended).toBe(0);
  // Nothing but the program's own sequences: places, ends of lines, modes.
  // oxlint-disable-next-line no-control-regex -- those are looked for
  const others = terminal.raw().replaceAll(/\u001b\[(?:\d+;\d+H|K|0m|2J|\?(?:1049|2004|25|2026)[hl])/g, '');
  // oxlint-disable-next-line no-control-regex -- none may be left
  expect(others).not.toMatch(/[\u0000-\u001f\u007f-\u009f\u202e\u200f]/);
});

it('fits every size', async () => {
  await make(...Array.from({ length: 12 }, (_, index) => `task ${index} 看板 ${'long '.repeat(30)}`));
  const terminal = open({ columns: 120, rows: 10 });
  await terminal.shows('live');
  terminal.type('G');
  await terminal.shows(/› {3}● task 0/);
  for (const [columns, rows] of [
    [24, 6],
    [9, 2],
    [200, 50],
    [60, 12],
  ] as const) {
    terminal.resize(columns, rows);
    await waitFor(
      'the new size',
      () => terminal.screen().length === rows && terminal.screen().join('').includes('Qin'),
      20_000,
    );
    await terminal.shows(rows < 3 ? 'Qinbox' : '› ');
    expect(terminal.screen().filter((line) => line !== '').length).toBeLessThanOrEqual(rows);
  }
  expect(await terminal.shows(/› {3}● task 0/)).toMatch(/^Qinbox .*live\n/);
});

it.each([
  ['q', 'q', 0],
  ['Ctrl-C', '\u0003', 0],
])('gives the terminal back after %s', async (_, keys, code) => {
  const terminal = open();
  await terminal.shows('Queue is empty');
  terminal.type(keys);
  expect(await terminal.ended).toBe(code);
  expect(terminal.raw().endsWith('\u001b[?2004l\u001b[?25h\u001b[?1049l')).toBe(true);
});

it.each([
  ['kill %1'],
  // In the other order, as it may come to a program that has several threads.
  ['kill -CONT %1; kill -TERM %1'],
])('gives it back to the shell and back, and at the signal of %s', async (kill) => {
  const shell = openTerminal(['bash', '--norc', '-i'], { env: { ...stage.env, PS1: '> ' } });
  onTestFinished(shell.kill);
  const stty = 'stty -a | md5sum';
  shell.type(`${stty}; '${process.execPath}' '${ONE_FILE}'\r`);
  await shell.shows('Queue is empty');
  shell.type('\u001a');
  await shell.shows('Stopped');
  shell.type('fg\r');
  await shell.shows('Queue is empty');
  shell.type('\u001a');
  // The first one is seen as soon as the inbox is not, when the shell may not read yet.
  await shell.shows(/Stopped[^]*Stopped/);
  shell.type(`${kill}; fg; echo "code $?"; ${stty}\r`);
  const screen = await shell.shows(/code 143\n[0-9a-f]{32}/);
  const [before, after] = [...screen.matchAll(/[0-9a-f]{32}/g)].map(([sum]) => sum);
  expect(after).toBe(before);
});

it('stays true to a queue that is longer than the list, and draws what comes together once', async () => {
  const batch = async (count: number, content: string) => {
    const body = { tasks: Array.from({ length: count }, (_, at) => ({ content: `${content} ${at}` })) };
    const { tasks } = await ask<{ tasks: Task[] }>('POST', '/tasks/batch', body);
    return { ids: tasks.map(({ id }) => id) };
  };
  const [hidden, ...listed] = [await batch(3, 'hidden'), await batch(500, 'a'), await batch(500, 'b')];
  const terminal = open();
  await terminal.shows('of 1003');
  await ask('POST', '/tasks/acknowledge', { ids: hidden.ids.slice(0, 1) });
  await terminal.shows('of 1002');
  const before = terminal.raw().length;
  for (const ids of listed) await ask('POST', '/tasks/acknowledge', ids);
  expect(await terminal.shows(/hidden 2[^]*hidden 1/)).toMatch(/● 2 +▽ 0 +live/);
  expect(terminal.raw().slice(before).split('\u001b[?2026h').length).toBeLessThan(500);
});

it('says what is missing where it cannot be shown', async () => {
  const away = open({ env: { QINBOX_URL: `http://127.0.0.1:${await freePort()}` } });
  await away.shows('does not answer');
  expect([await away.ended, away.raw().includes('[?1049h')]).toEqual([69, false]);
  const nobody = open({ env: { QINBOX_KEY: '', QINBOX_URL: '' }, rows: 60 });
  expect(await nobody.ended).toBe(0);
  expect(nobody.screen().join('\n')).toMatch(/^Not logged in\. .*qinbox login[^]*Usage: qinbox COMMAND/);
  const inPipe = await stage.qinbox(['inbox']);
  expect([inPipe.code, inPipe.out, inPipe.err]).toEqual([1, '', expect.stringMatching(/needs a terminal/)]);
  expect((await stage.qinbox([])).out).toMatch(/^Usage: qinbox COMMAND/);
});
