// What webhooks are sent is taken by the published Standard Webhooks libraries, in JavaScript, Python and Go,
// and is refused by them when one byte of it is another.
import { execFile, spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, it, onTestFinished } from 'vitest';
import { startReceiver } from '#test/helpers/receivers.ts';
import { plainEnvironment, startProgram, temporaryFolder } from '#test/program/program.ts';
import { signIn } from '#test/program/signed-in.ts';
import { installOnce, type Sought } from '#test/services/cache.ts';
import { installModules } from '#test/services/javascript.ts';
import { installPackages } from '#test/services/python.ts';
import { findProgram } from '#test/services/service.ts';

const folder = join(import.meta.dirname, 'standard-webhooks');

/** Built once, as its sources and their sums are. */
async function buildWithGo(): Promise<Sought> {
  const go = findProgram('go');
  if (go === null) return { missing: 'there is no Go to build a receiver with' };
  const source = join(folder, 'go');
  const lock = Buffer.concat(['go.sum', 'main.go'].map((file) => readFileSync(join(source, file))));
  return installOnce('standard-webhooks-go', lock, (to) =>
    promisify(execFile)(go, ['build', '-o', join(to, 'verify'), '.'], { cwd: source }),
  );
}

const receivers: [string, () => Promise<Sought>, (path: string) => [command: string, ...args: string[]]][] = [
  [
    'JavaScript',
    () => installModules('standard-webhooks', join(folder, 'javascript')),
    (path) => [process.execPath, join(folder, 'verify.mjs'), path],
  ],
  [
    'Python',
    () => installPackages('standard-webhooks', join(folder, 'requirements.txt')),
    () => ['python3', join(folder, 'verify.py')],
  ],
  ['Go', buildWithGo, (path) => [join(path, 'verify')]],
];

/** A message of the real program, and the secret that it is signed with. */
async function message() {
  const data = temporaryFolder('signed');
  const receiver = await startReceiver();
  const env = { OUTGOING_ALLOW: '127.0.0.1', WEBHOOK_HTTP: 'true' };
  const program = await startProgram({ dataDir: join(data.path, 'data'), env });
  onTestFinished(async () => {
    await program.kill();
    await receiver.close();
    data.remove();
  });
  const call = await signIn(join(data.path, 'data'), program.url);
  const made = await call('POST', '/webhooks', { name: 'x', url: receiver.url, events: ['task.created'] });
  // What is signed are the bytes, whatever letters they stand for.
  await call('POST', '/tasks', { content: 'Grüße 🛟 "quoted"\n' });
  const [received] = await receiver.count(1);
  if (received === undefined) throw new Error('nothing came');
  return { secret: made['secret'] as string, headers: received.headers, body: received.body };
}

describe('a message to a webhook', () => {
  it('is taken by the published libraries, and is not once it is changed', async ({ skip }) => {
    const sent = await message();
    const wrong = [
      { ...sent, body: sent.body.replace('quoted', 'Quoted') },
      { ...sent, headers: { ...sent.headers, 'webhook-id': 'evt_other' } },
      { ...sent, headers: { ...sent.headers, 'webhook-timestamp': '1614265330' } },
      { ...sent, secret: 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw' },
    ];
    const missing: string[] = [];
    for (const [language, install, commandOf] of receivers) {
      const found = await install();
      if ('missing' in found) {
        if (process.env['REQUIRE_SERVICES'] === '1') throw new Error(found.missing);
        missing.push(found.missing);
        continue;
      }
      const [command, ...args] = commandOf(found.path);
      const verify = (given: object) =>
        spawnSync(command, args, {
          input: JSON.stringify(given),
          encoding: 'utf8',
          env: plainEnvironment({ PYTHONPATH: found.path }),
        });
      const taken = verify(sent);
      expect([language, taken.status, taken.stdout], taken.stderr).toEqual([language, 0, 'task.created']);
      for (const other of wrong) expect([language, verify(other).status]).not.toEqual([language, 0]);
    }
    if (missing.length > 0) skip(missing.join('; '));
  });
});
