import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { Agent } from 'node:http';
import { join } from 'node:path';
import { setTimeout as after } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { createKey, startProgram, temporaryFolder } from '#test/program/program.ts';
import { judgeMarker, readCalls } from './trace.ts';
import { send } from './writers.ts';

/** After the first housekeeping. */
const SETTLED_MS = 2500;
const REST_MS = 3000;

const canTrace = spawnSync('strace', ['-o', '/dev/null', 'true']).status === 0;

describe('an answer of 201', () => {
  test('leaves only after the task was written to the log and the log was synced', async ({ skip }) => {
    if (!canTrace) skip('strace is missing or may not trace');
    const folder = temporaryFolder('fsync');
    const log = join(folder.path, 'trace');
    const traced = ['fsync', 'fdatasync', 'pwrite64', 'pwritev', 'write', 'writev', 'sendto', 'sendmsg'];
    const under = [
      'strace',
      '-f',
      '-y',
      '-s',
      '16384',
      '-e',
      `trace=${traced.join(',')}`,
      '-e',
      'signal=none',
      '-o',
      log,
    ];
    try {
      const dataDir = join(folder.path, 'data');
      const key = createKey(dataDir);
      const program = await startProgram({ dataDir, under });
      const agent = new Agent({ keepAlive: true, maxSockets: 8 });
      const markers = Array.from({ length: 40 }, (_, i) => `synced-marker-${i}-end`);
      const answers = await Promise.all(
        markers.map((marker) =>
          send(
            agent,
            program.port,
            'POST',
            '/tasks',
            { 'x-api-key': key, 'content-type': 'text/plain' },
            marker,
          ),
        ),
      );
      agent.destroy();
      await program.stop();
      expect(answers.map((answer) => answer?.status)).toEqual(markers.map(() => 201));
      const calls = readCalls(readFileSync(log, 'utf8'));
      const verdicts = new Set(markers.map((marker) => judgeMarker(calls, marker)));
      expect([...verdicts]).toEqual(['synced before the answer']);
    } finally {
      folder.remove();
    }
  });
});

test('a server at rest writes nothing and syncs nothing', async ({ skip }) => {
  if (!canTrace) skip('strace is missing or may not trace');
  const folder = temporaryFolder('rest');
  const log = join(folder.path, 'trace');
  const under = ['strace', '-f', '-y', '-e', 'trace=fsync,fdatasync,pwrite64,pwritev', '-e', 'signal=none'];
  try {
    const dataDir = join(folder.path, 'data');
    const program = await startProgram({ dataDir, under: [...under, '-o', log] });
    await after(SETTLED_MS);
    const before = readFileSync(log, 'utf8');
    await after(REST_MS);
    const since = readFileSync(log, 'utf8').slice(before.length);
    await program.stop();
    expect(before).toContain('qinbox.db');
    expect(since).not.toContain('qinbox.db');
  } finally {
    folder.remove();
  }
});

test('a long log is copied into the file beside the event loop', async ({ skip }) => {
  if (!canTrace) skip('strace is missing or may not trace');
  const folder = temporaryFolder('checkpoint');
  const log = join(folder.path, 'trace');
  const under = ['strace', '-f', '-y', '-e', 'trace=fsync,fdatasync', '-e', 'signal=none', '-o', log];
  try {
    const dataDir = join(folder.path, 'data');
    const key = createKey(dataDir);
    const env = { RATE_LIMIT_PER_MINUTE: '10000', RATE_LIMIT_PER_HOUR: '10000' };
    const program = await startProgram({ dataDir, under, env });
    const agent = new Agent({ keepAlive: true });
    const headers = { 'x-api-key': key, 'content-type': 'text/plain' };
    // The first syncs of a process are made on the event loop.
    for (let sent = 0; sent < 5; sent++)
      await send(agent, program.port, 'POST', '/tasks', headers, `task ${sent}`);
    const before = readFileSync(log, 'utf8').length;
    const content = 'x'.repeat(9000);
    const statuses = new Set<number | undefined>();
    for (let sent = 0; sent < 1200; sent += 20) {
      const sending = Array.from({ length: 20 }, () =>
        send(agent, program.port, 'POST', '/tasks', headers, content),
      );
      for (const answer of await Promise.all(sending)) statuses.add(answer?.status);
    }
    const since = readFileSync(log, 'utf8').slice(before);
    agent.destroy();
    await program.stop();
    expect([...statuses]).toEqual([201]);
    // The event loop syncs no more than the first page of a log that is begun anew.
    const ofFile = since.split('\n').filter((line) => /sync\(\d+<[^>]*qinbox\.db>/.test(line));
    expect(ofFile.length).toBeGreaterThan(0);
    expect(ofFile.filter((line) => line.startsWith(`${program.pid} `))).toEqual([]);
  } finally {
    folder.remove();
  }
});

test('a start needs no thread that syncs, a server that stores tasks does', async ({ skip }) => {
  if (!existsSync('/proc/self/task')) skip('the system does not list threads');
  const folder = temporaryFolder('threads');
  try {
    const dataDir = join(folder.path, 'data');
    const key = createKey(dataDir);
    const program = await startProgram({ dataDir });
    const agent = new Agent({ keepAlive: true });
    const headers = { 'x-api-key': key, 'content-type': 'text/plain' };
    const hasThread = () => threadsOf(program.pid).includes('log-sync');
    await after(SETTLED_MS);
    expect(hasThread()).toBe(false);
    for (let sent = 0; sent < 5; sent++)
      await send(agent, program.port, 'POST', '/tasks', headers, `task ${sent}`);
    expect(hasThread()).toBe(true);
    agent.destroy();
    await program.stop();
  } finally {
    folder.remove();
  }
});

/** The names of a process's threads. */
function threadsOf(pid: number): string[] {
  const folder = `/proc/${pid}/task`;
  return readdirSync(folder).map((id) => readFileSync(`${folder}/${id}/comm`, 'utf8').trim());
}

describe('the reading of a trace', () => {
  const wrote = '7 pwrite64(20</d/qinbox.db-wal>, "… task-one …", 4096, 0) = 4096';
  const synced = '7 fdatasync(20</d/qinbox.db-wal>) = 0';
  const answered = String.raw`7 writev(22<socket:[5]>, [{iov_base="HTTP/1.1 201 Created\r\n", iov_len=9}, {iov_base="task-one", iov_len=8}], 2) = 17`;
  const verdict = (...lines: string[]) => judgeMarker(readCalls(lines.join('\n')), 'task-one');

  test('tells a sync before the answer from one that is missing, late, unfinished or of another file', () => {
    expect(verdict(wrote, synced, answered)).toBe('synced before the answer');
    expect(verdict(wrote, answered)).toBe('answered without a sync');
    expect(verdict(wrote, answered, synced)).toBe('answered without a sync');
    expect(verdict(synced, wrote, answered)).toBe('answered without a sync');
    expect(verdict(wrote, synced.replace('-wal', ''), answered)).toBe('answered without a sync');
    const begun = '8 fdatasync(20</d/qinbox.db-wal> <unfinished ...>';
    const resumed = '8 <... fdatasync resumed>) = 0';
    expect(verdict(wrote, begun, answered, resumed)).toBe('answered without a sync');
    expect(verdict(wrote, begun, resumed, answered)).toBe('synced before the answer');
    expect(verdict(synced, answered)).toBe('never written');
    expect(verdict(wrote, synced)).toBe('never answered');
  });
});
