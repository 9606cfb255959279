// Published clients of other hubs, unmodified, deliver to the real program: each takes its message for delivered,
// the task says what was sent, and the same message sent again makes no second one.
import { execFileSync, spawn, type ChildProcessByStdio } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { request } from 'node:http';
import { createServer, type Server } from 'node:https';
import { join } from 'node:path';
import { createInterface, type Interface } from 'node:readline';
import type { Readable, Writable } from 'node:stream';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  freePort,
  plainEnvironment,
  startProgram,
  temporaryFolder,
  type Program,
} from '#test/program/program.ts';
import { createOpenIntake, signIn, type SignedInCall } from '#test/program/signed-in.ts';
import { installPackages } from '#test/services/python.ts';
import { pairs } from './pairs.ts';

const found = await installPackages('clients', join(import.meta.dirname, 'requirements.txt'));
if ('missing' in found && process.env['REQUIRE_SERVICES'] === '1') throw new Error(found.missing);

interface Shown {
  id: string;
  content: string;
  priority: string;
  occurrences: number;
  metadata: { url?: string };
}

describe('a published client', () => {
  const folder = temporaryFolder('clients');
  const cert = join(folder.path, 'cert.pem');
  const key = join(folder.path, 'key.pem');
  let program: Program;
  let tls: Server;
  let tlsUrl: string;
  let call: SignedInCall;
  let python: ChildProcessByStdio<Writable, Readable, null>;
  let answers: AsyncIterator<string>;
  let lines: Interface;

  /** TLS in front of the program, for clients that insist on it. */
  async function startTls(): Promise<void> {
    const subject = ['-subj', '/CN=localhost', '-addext', 'subjectAltName=DNS:localhost'];
    const made = ['-newkey', 'rsa:2048', '-nodes', '-days', '2', '-keyout', key, '-out', cert];
    execFileSync('openssl', ['req', '-x509', ...made, ...subject], { stdio: 'ignore' });
    const port = await freePort();
    tls = createServer({ key: readFileSync(key), cert: readFileSync(cert) }, (incoming, outgoing) => {
      const { method, url: path, headers } = incoming;
      const target = { host: '127.0.0.1', port: program.port, method, path, headers };
      incoming.pipe(
        request(target, (answer) => {
          outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
          answer.pipe(outgoing);
        }),
      );
    }).listen(port, '127.0.0.1');
    tlsUrl = `https://localhost:${port}`;
  }

  beforeAll(async () => {
    if ('missing' in found) return;
    program = await startProgram({ dataDir: join(folder.path, 'data') });
    await startTls();
    call = await signIn(join(folder.path, 'data'), program.url);
    python = spawn('python3', [join(import.meta.dirname, 'send.py')], {
      cwd: folder.path,
      env: plainEnvironment({
        PYTHONPATH: found.path,
        PYTHONDONTWRITEBYTECODE: '1',
        SSL_CERT_FILE: cert,
        REQUESTS_CA_BUNDLE: cert,
      }),
      stdio: ['pipe', 'pipe', 'inherit'],
    });
    lines = createInterface({ input: python.stdout });
    answers = lines[Symbol.asyncIterator]();
  });
  afterAll(async () => {
    python?.stdin.end();
    lines?.close();
    tls?.close();
    await program?.stop();
    folder.remove();
  });

  async function send(client: string, token: string): Promise<{ ok: boolean; said: string }> {
    python.stdin.write(`${JSON.stringify({ client, url: program.url, tls: tlsUrl, token })}\n`);
    const answer = await answers.next();
    return JSON.parse(answer.value ?? '{}') as { ok: boolean; said: string };
  }

  async function takeTasks(): Promise<Shown[]> {
    const { tasks } = (await call('GET', '/tasks')) as { tasks: Shown[] };
    for (const { id } of tasks) await call('DELETE', `/tasks/${id}`);
    return tasks;
  }

  it.each(pairs.map((pair) => [`${pair.version} to ${pair.setting}`, pair] as const))(
    '%s',
    async (_name, { client, preset, task }) => {
      const token = await createOpenIntake(call, preset);
      for (const time of ['first', 'second'])
        expect(await send(client, token), `${time} time`).toMatchObject({ ok: true });
      const tasks = await takeTasks();
      if (task === null) return expect(tasks).toEqual([]);
      const { url, ...said } = task;
      expect(tasks).toMatchObject([{ ...said, occurrences: 2, metadata: url === undefined ? {} : { url } }]);
    },
  );
});
