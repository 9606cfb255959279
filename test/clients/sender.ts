// The script that sends with one published client after another: send.py, send.mjs.
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { shortTokenOf } from '#core/domain/intake-token.ts';
import { plainEnvironment } from '#test/program/program.ts';
import type { Pair } from './pairs.ts';
import type { Stage } from './stage.ts';

const SCRIPTS = { python: 'send.py', healthchecks: 'healthchecks.py' };

export interface Sender {
  /** Whether the client takes its message for delivered, and what it says. */
  send(client: string, token: string): Promise<{ ok: boolean; said: string }>;
  close(): void;
}

/** `packages`: the folder where its clients are installed. */
export function startSender(
  by: Pair['by'],
  stage: Stage,
  packages: string,
  more: Record<string, string> = {},
): Sender {
  const { authority, folder, key, tlsUrl, url } = stage;
  const [program, script, env] =
    by === 'javascript'
      ? [process.execPath, 'send.mjs', { MODULES: packages, NODE_PATH: join(packages, 'node_modules') }]
      : ['python3', SCRIPTS[by], { PYTHONPATH: packages, PYTHONDONTWRITEBYTECODE: '1' }];
  const trust = { SSL_CERT_FILE: authority, REQUESTS_CA_BUNDLE: authority, NODE_EXTRA_CA_CERTS: authority };
  const child = spawn(program, [join(import.meta.dirname, script)], {
    cwd: folder,
    env: plainEnvironment({ ...env, ...trust, ...more }),
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const lines = createInterface({ input: child.stdout });
  const answers = lines[Symbol.asyncIterator]();
  return {
    async send(client, token) {
      const at = { client, url, tls: tlsUrl, token, short: shortTokenOf(token), key };
      child.stdin.write(`${JSON.stringify(at)}\n`);
      const answer = await answers.next();
      return JSON.parse(answer.value ?? '{}') as { ok: boolean; said: string };
    },
    close() {
      child.stdin.end();
      lines.close();
    },
  };
}
