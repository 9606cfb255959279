// Published clients of other hubs, unmodified, deliver to the real program: each takes its message for
// delivered, the task says what was sent, and the same message sent again makes no second one. More:
// `npm run test:clients`.
import { spawn, type ChildProcessByStdio } from 'node:child_process';
import { join } from 'node:path';
import { createInterface, type Interface } from 'node:readline';
import type { Readable, Writable } from 'node:stream';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { shortTokenOf } from '#core/domain/intake-token.ts';
import { plainEnvironment } from '#test/program/program.ts';
import { installPackages } from '#test/services/python.ts';
import { afterTwo, pairs } from './pairs.ts';
import { createStage, type Stage } from './stage.ts';

const found = await installPackages('clients', join(import.meta.dirname, 'requirements.txt'));
if ('missing' in found && process.env['REQUIRE_SERVICES'] === '1') throw new Error(found.missing);

describe('a published client', () => {
  let stage: Stage;
  let python: ChildProcessByStdio<Writable, Readable, null>;
  let lines: Interface;
  let answers: AsyncIterator<string>;

  beforeAll(async () => {
    if ('missing' in found) return;
    stage = await createStage();
    python = spawn('python3', [join(import.meta.dirname, 'send.py')], {
      cwd: stage.folder,
      env: plainEnvironment({
        PYTHONPATH: found.path,
        PYTHONDONTWRITEBYTECODE: '1',
        SSL_CERT_FILE: stage.authority,
        REQUESTS_CA_BUNDLE: stage.authority,
      }),
      stdio: ['pipe', 'pipe', 'inherit'],
    });
    lines = createInterface({ input: python.stdout });
    answers = lines[Symbol.asyncIterator]();
  });
  afterAll(async () => {
    python?.stdin.end();
    lines?.close();
    await stage?.close();
  });

  beforeEach(({ skip }) => {
    if ('missing' in found) skip(found.missing);
  });

  async function send(client: string, token: string): Promise<{ ok: boolean; said: string }> {
    python.stdin.write(
      `${JSON.stringify({ client, url: stage.url, tls: stage.tlsUrl, token, short: shortTokenOf(token) })}\n`,
    );
    const answer = await answers.next();
    return JSON.parse((answer.value as string | undefined) ?? '{}') as { ok: boolean; said: string };
  }

  it.each(pairs.map((pair) => [`${pair.version} to ${pair.setting}`, pair] as const))(
    '%s',
    async (_name, { client, preset, task }) => {
      const token = await stage.intake(preset);
      for (const time of ['first', 'second'])
        expect(await send(client, token), `${time} time`).toMatchObject({ ok: true });
      const tasks = await stage.takeTasks();
      if (task === null) return expect(tasks).toEqual([]);
      expect(tasks).toMatchObject([afterTwo(task)]);
    },
  );
});
