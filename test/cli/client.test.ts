// The commands of everybody with a key, against the real server over HTTP.
import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import type { Task } from '#core/contract/index.ts';
import { createKey, freePort, startProgram } from '#test/program/program.ts';
import { waitFor } from '#test/program/wait.ts';
import { CLI, startStage, type Stage } from './stage.ts';

let stage: Stage;
beforeAll(async () => {
  stage = await startStage('cli-client');
});
afterAll(() => stage?.close());

const file = () => join(stage.home, '.config', 'qinbox', 'login.json');

async function list(...options: string[]): Promise<Task[]> {
  return JSON.parse((await stage.qinbox(['ls', '--json', ...options])).out) as Task[];
}

async function add(...args: string[]): Promise<string> {
  const { out, err } = await stage.qinbox(['add', ...args]);
  expect(err).toBe('');
  return out.trim();
}

async function logIn(): Promise<void> {
  const { code } = await stage.qinbox(['login', '--url', stage.program.url, '--key', stage.key]);
  expect(code).toBe(0);
}

describe('login', () => {
  it('takes the key from standard input, and stores it for its owner alone, also over a file that was open', async () => {
    mkdirSync(join(stage.home, '.config', 'qinbox'), { recursive: true, mode: 0o755 });
    writeFileSync(file(), '{}', { mode: 0o644 });
    const ran = await stage.qinbox(['login', '--url', `${stage.program.url}/`], `${stage.key}\n`);
    expect(ran).toEqual({
      code: 0,
      out: `Logged in to ${stage.program.url} (read, write). Stored in ${file()}.\n`,
      err: '',
    });
    expect(statSync(file()).mode & 0o777).toBe(0o600);
    expect(statSync(join(file(), '..')).mode & 0o777).toBe(0o700);
    expect(JSON.parse(readFileSync(file(), 'utf8'))).toEqual({ url: stage.program.url, key: stage.key });
  });

  it('asks at a terminal without showing what is typed', async () => {
    const script = [
      'import os, pty, sys',
      'seen = b""',
      'typed = False',
      'pid, fd = pty.fork()',
      'if pid == 0: os.execv(sys.argv[1], sys.argv[1:-1])',
      'while True:',
      '    try: data = os.read(fd, 4096)',
      '    except OSError: break',
      '    if not data: break',
      '    seen += data',
      '    if not typed and b"(not shown)" in seen:',
      '        typed = True',
      '        os.write(fd, b"x\\x7f" + sys.argv[-1].encode() + b"\\r")',
      'sys.stdout.write(seen.decode())',
      'sys.exit(os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]))',
    ].join('\n');
    const command = [process.execPath, CLI, 'login', '--url', stage.program.url, stage.key];
    const child = spawn('python3', ['-c', script, ...command], { env: stage.env });
    let shown = '';
    child.stdout.on('data', (data: Buffer) => (shown += data.toString()));
    const code = await new Promise((done) => child.on('close', done));
    expect([code, shown]).toEqual([0, expect.stringContaining('Logged in to')]);
    expect(shown).not.toContain(stage.key);
  });

  it('stores nothing when the key is refused, the server is away, or sends on elsewhere', async () => {
    await logIn();
    const before = readFileSync(file(), 'utf8');
    const refused = await stage.qinbox(['login', '--url', stage.program.url, '--key', 'qi_wrong']);
    expect([refused.code, refused.out, refused.err.split('\n').length]).toEqual([77, '', 2]);
    expect(refused.err).not.toContain('qi_wrong');

    const wrong = await stage.qinbox(['login', '--key', stage.key], '', { QINBOX_URL: 'inbox.example.com' });
    expect([wrong.code, wrong.err]).toEqual([78, expect.stringMatching(/^qinbox: QINBOX_URL must be .*\n$/)]);

    const away = `http://127.0.0.1:${await freePort()}`;
    // The second speaks no TLS.
    for (const url of [away, stage.program.url.replace('http:', 'https:')]) {
      const unreachable = await stage.qinbox(['login', '--url', url, '--key', stage.key]);
      const sentence = /^qinbox: \S+ does not answer .*Check the address, and that the server runs\.\n$/;
      expect([unreachable.code, unreachable.err]).toEqual([69, expect.stringMatching(sentence)]);
    }

    const seen: unknown[] = [];
    const other = createServer(({ headers }, answer) => {
      seen.push(headers['x-api-key']);
      answer.writeHead(302, { location: `${stage.program.url}/api/v1/auth/profile` }).end();
    }).listen(0, '127.0.0.1');
    onTestFinished(() => void other.close());
    await waitFor('the other server', () => other.listening);
    const url = `http://127.0.0.1:${(other.address() as AddressInfo).port}`;
    const sentOn = await stage.qinbox(['login', '--url', url, '--key', 'qi_x']);
    const sentence = `qinbox: ${url} sends on to ${stage.program.url}: log in with that address.\n`;
    expect([sentOn.code, sentOn.err, seen]).toEqual([1, sentence, ['qi_x']]);
    other.on('upgrade', (_request, socket) =>
      socket.end(`HTTP/1.1 301 Moved\r\nlocation: ${stage.program.url}/api/v1/live\r\n\r\n`),
    );
    const watched = await stage.qinbox(['watch'], '', { QINBOX_URL: url, QINBOX_KEY: 'qi_x' });
    expect([watched.code, watched.err]).toEqual([1, sentence]);
    expect(readFileSync(file(), 'utf8')).toBe(before);
  });

  it('is undone by logout; the environment needs none', async () => {
    await logIn();
    expect((await stage.qinbox(['logout'])).code).toBe(0);
    expect(existsSync(file())).toBe(false);
    const without = await stage.qinbox(['ls']);
    expect([without.code, without.err]).toEqual([78, expect.stringContaining('Run: qinbox login')]);
    const env = { QINBOX_URL: stage.program.url, QINBOX_KEY: stage.key };
    expect((await stage.qinbox(['ls', '--json'], '', env)).out).toBe('[]\n');
  });
});

describe('tasks', () => {
  beforeEach(() => {
    Object.assign(stage.env, { QINBOX_URL: stage.program.url, QINBOX_KEY: stage.key });
  });

  it('are made with all that add can say', async () => {
    const options = [
      '-p',
      'high',
      '-t',
      'nas',
      '--tag',
      'ops',
      '--source',
      'shell',
      '--expires',
      '2h',
      '--pin',
    ];
    const id = await add('disk', 'full', ...options, '--key', 'nas/disk');
    expect(await add('disk full again', '--key', 'nas/disk')).toBe(id);
    const [task] = await list(
      '--tag',
      'nas',
      '--tag',
      'ops',
      '--source',
      'shell',
      '-s',
      'DISK',
      '-p',
      'high',
    );
    expect(task).toMatchObject({
      id,
      content: 'disk full',
      priority: 'high',
      tags: ['nas', 'ops'],
      source: 'shell',
      pinned: true,
      dedupeKey: 'nas/disk',
      occurrences: 2,
    });
    expect(await list('--tag', 'nas', '--tag', 'none')).toEqual([]);
  });

  it('are made of standard input when no text is given, and of what follows -- as it is', async () => {
    expect((await stage.qinbox(['add'], 'from a pipe\nsecond line\n')).code).toBe(0);
    await add('--', '--help', 'is text');
    expect((await list('-n', '2', '-s', 'e')).map(({ content }) => content)).toContain('--help is text');
    expect((await list('-s', 'second line')).map(({ content }) => content)).toEqual([
      'from a pipe\nsecond line',
    ]);
  });

  it('are pinned, snoozed, woken and acknowledged by shortened ids', async () => {
    const id = await add('to be handled');
    const ending = id.slice(-8);
    expect((await stage.qinbox(['pin', ending])).out).toBe(`${id}\n`);
    expect((await list('-s', 'to be handled'))[0]).toMatchObject({ pinned: true });
    expect((await stage.qinbox(['pin', ending, '--undo'])).code).toBe(0);
    expect((await list('-s', 'to be handled'))[0]).toMatchObject({ pinned: false });

    const snoozed = await stage.qinbox(['snooze', ending, 'tomorrow', '08:00']);
    expect([snoozed.code, snoozed.out]).toEqual([0, `${id}\n`]);
    expect(await list('-s', 'to be handled')).toEqual([]);
    const [asleep] = await list('--snoozed');
    expect(asleep?.snoozedUntil).toMatch(/T08:00:00\.000Z$/);
    expect((await stage.qinbox(['snooze', ending, '--undo'])).code).toBe(0);
    expect((await list('-s', 'to be handled')).length).toBe(1);

    const done = await stage.qinbox(['ack', ending, id, '--json']);
    expect(JSON.parse(done.out)).toEqual({ acknowledged: [id], notFound: [] });
    const again = await stage.qinbox(['ack', id]);
    expect([again.code, again.err]).toEqual([1, `qinbox: Not in the queue: ${id}. See: qinbox ls\n`]);
    expect((await stage.qinbox(['ack', ending])).code).toBe(1);
  });

  it('are written without colours in a pipe, and fitted to a terminal with them, unless NO_COLOR says no', async () => {
    await add('a long line '.repeat(30), '-p', 'low');
    expect((await stage.qinbox(['ls'])).out).not.toContain('\u001b');
    const script = [
      'import fcntl, os, pty, struct, sys, termios',
      'pid, fd = pty.fork()',
      'if pid == 0:',
      '    fcntl.ioctl(1, termios.TIOCSWINSZ, struct.pack("HHHH", 24, 60, 0, 0))',
      '    os.execv(sys.argv[1], sys.argv[1:])',
      'while True:',
      '    try: data = os.read(fd, 4096)',
      '    except OSError: break',
      '    if not data: break',
      '    sys.stdout.buffer.write(data)',
    ].join('\n');
    const terminal = async (env: Record<string, string>): Promise<string> => {
      const child = spawn('python3', ['-c', script, process.execPath, CLI, 'ls'], {
        env: { ...stage.env, TERM: 'xterm-256color', ...env },
      });
      let shown = '';
      child.stdout.on('data', (data: Buffer) => (shown += data.toString()));
      await new Promise((done) => child.on('close', done));
      return shown;
    };
    expect(await terminal({})).toContain('\u001b[');
    const plain = await terminal({ NO_COLOR: '1' });
    expect(plain).not.toContain('\u001b');
    const lines = plain.trimEnd().split(/\r?\n/);
    expect(lines.some((line) => /^▽ \w{6,} a long line .*… now$/.test(line))).toBe(true);
    expect(lines.every((line) => line.length <= 60)).toBe(true);
  });

  it.each([
    [['add'], 2, 'There is no text'],
    [['add', 'x', '--priority', 'urgent'], 2, '--priority must be one of: high, normal, low'],
    [['add', 'x', '--expires', '9d'], 2, '--expires must be a time such as 30m'],
    [['add', 'x', '--source', '!'], 1, 'source must be 1 to 50 letters'],
    [['ls', '--limit', '0'], 2, '--limit must be a whole number from 1 to 1000'],
    [['ls', 'x'], 2, 'Usage: qinbox ls'],
    [['ack'], 2, 'Usage: qinbox ack ID…'],
    [['ack', 'nothing'], 1, 'No task in the queue has an id with "nothing"'],
    [['snooze', 'some'], 2, 'Usage: qinbox snooze'],
    [['snooze', 'some', 'yesterday'], 2, 'is no time to come'],
    [['watch', 'x'], 2, 'Usage: qinbox watch'],
  ])('%j is refused with exit code %i and one sentence', async (args, code, text) => {
    const ran = await stage.qinbox(args);
    expect([ran.code, ran.out, ran.err]).toEqual([code, '', expect.stringContaining(text)]);
    expect(ran.err).not.toMatch(/\n +at /);
  });

  it('a key that lacks a scope has exit code 77, and a server that is away 69', async () => {
    const env = { QINBOX_KEY: createKey(stage.dataDir, 'me@example.com', 'ingest') };
    expect((await stage.qinbox(['add', 'may create'], '', env)).code).toBe(0);
    expect((await stage.qinbox(['ls'], '', env)).code).toBe(77);
    const away = { QINBOX_URL: `http://127.0.0.1:${await freePort()}` };
    expect((await stage.qinbox(['add', 'x'], '', away)).code).toBe(69);
    expect((await stage.qinbox(['watch'], '', away)).code).toBe(69);
  });
});

describe('watch', () => {
  it('connects again when the server is back, and ends with exit code 0 at Ctrl-C', async () => {
    const own = await startStage('cli-watch');
    const env = { ...own.env, QINBOX_URL: own.program.url, QINBOX_KEY: own.key };
    const child = spawn(process.execPath, [CLI, 'watch'], { env });
    onTestFinished(() => void child.kill('SIGKILL'));
    let out = '';
    let err = '';
    child.stdout.on('data', (data: Buffer) => (out += data.toString()));
    child.stderr.on('data', (data: Buffer) => (err += data.toString()));
    const ended = new Promise((done) => child.on('close', (code, signal) => done([code, signal])));
    await waitFor('the connection', () => err.includes('Watching'));
    await own.program.stop();
    await waitFor('the loss', () => err.includes('Connection lost; trying again'));
    const again = await startProgram({ dataDir: own.dataDir, port: own.program.port });
    onTestFinished(async () => {
      await again.stop();
      await own.close();
    });
    await waitFor('the new connection', () => err.split('Watching').length === 3);
    expect((await own.qinbox(['add', 'after the restart'], '', env)).code).toBe(0);
    await waitFor('the task', () => /created .*after the restart/.test(out));
    child.kill('SIGINT');
    expect(await ended).toEqual([0, null]);
    expect(out).not.toContain('\u001b');
  });

  it('says in the words of the server why it is not let in', async () => {
    const own = await startStage('cli-watch-many', { MAX_SOCKETS_PER_OWNER: '1' });
    onTestFinished(() => own.close());
    const env = { ...own.env, QINBOX_URL: own.program.url, QINBOX_KEY: own.key };
    const first = spawn(process.execPath, [CLI, 'watch'], { env });
    onTestFinished(() => void first.kill('SIGKILL'));
    let err = '';
    first.stderr.on('data', (data: Buffer) => (err += data.toString()));
    await waitFor('the first', () => err.includes('Watching'));
    const second = await own.qinbox(['watch'], '', env);
    expect([second.code, second.out, second.err]).toEqual([
      1,
      '',
      'qinbox: Too many live connections are open.\n',
    ]);
  });
});
