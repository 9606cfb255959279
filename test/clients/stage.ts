// The real program with somebody signed in, and TLS in front of it for clients that insist on it.
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { request } from 'node:http';
import { createServer, type Server } from 'node:https';
import { join } from 'node:path';
import { createKey, freePort, startProgram, temporaryFolder } from '#test/program/program.ts';
import { createOpenIntake, signIn } from '#test/program/signed-in.ts';

/** A task as the API shows it. */
export interface Shown {
  id: string;
  content: string;
  priority: string;
  occurrences: number;
  metadata: { url?: string };
}

export interface Stage {
  folder: string;
  url: string;
  tlsUrl: string;
  /** File with the certificate of the authority that `tlsUrl` is signed by. */
  authority: string;
  /** An API key of the same person. */
  key: string;
  /** Makes an intake with this preset; its token. */
  intake(preset?: string): Promise<string>;
  /** The tasks in the queue. */
  tasks(): Promise<Shown[]>;
  /** The same; they are acknowledged. */
  takeTasks(): Promise<Shown[]>;
  close(): Promise<void>;
}

export async function createStage(): Promise<Stage> {
  const folder = temporaryFolder('clients');
  const program = await startProgram({
    dataDir: join(folder.path, 'data'),
    // Who waits for a task asks often.
    env: { RATE_LIMIT_SESSION_PER_MINUTE: '1000000' },
  });
  const [authority, key] = [join(folder.path, 'cert.pem'), join(folder.path, 'key.pem')];
  const subject = ['-subj', '/CN=localhost', '-addext', 'subjectAltName=DNS:localhost'];
  const made = ['-newkey', 'rsa:2048', '-nodes', '-days', '2', '-keyout', key, '-out', authority];
  execFileSync('openssl', ['req', '-x509', ...made, ...subject], { stdio: 'ignore' });
  const port = await freePort();
  const tls: Server = createServer(
    { key: readFileSync(key), cert: readFileSync(authority) },
    (incoming, outgoing) => {
      const { method, url: path, headers } = incoming;
      const target = { host: '127.0.0.1', port: program.port, method, path, headers };
      incoming.pipe(
        request(target, (answer) => {
          outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
          answer.pipe(outgoing);
        }),
      );
    },
  ).listen(port, '127.0.0.1');
  const call = await signIn(join(folder.path, 'data'), program.url);
  const tasks = async () => ((await call('GET', '/tasks')) as { tasks: Shown[] }).tasks;
  return {
    folder: folder.path,
    url: program.url,
    tlsUrl: `https://localhost:${port}`,
    authority,
    key: createKey(join(folder.path, 'data')),
    intake: (preset) => createOpenIntake(call, preset),
    tasks,
    async takeTasks() {
      const shown = await tasks();
      for (const { id } of shown) await call('DELETE', `/tasks/${id}`);
      return shown;
    },
    async close() {
      tls.close();
      await program.stop();
      folder.remove();
    },
  };
}
