// The program as an operator would run it, with its default limits, a normal user, and somebody who means
// harm, each with an account.
import { makeIntake, signIn } from '#bench/measure/intakes.ts';
import { freePort, runCommand, startProgram, temporaryFolder, type Program } from '#test/program/program.ts';
import type { AbuserSettings, UserSettings } from './settings.ts';

/** Of one owner; each may ask a hundred times a minute. */
const KEYS = 20;
const BATCH_BYTES = 900_000;
const MAX_BATCH = 500;

/** Tasks that the abuser's own queue holds. */
export interface Filling {
  tasks: number;
  /** Of each, in its content and in its metadata. */
  characters: number;
  metadataCharacters?: number;
}

export interface Stage {
  program: Program;
  user: Omit<UserSettings, 'perSecond' | 'seconds'>;
  abuser: Omit<AbuserSettings, 'seconds'>;
  end(): Promise<void>;
}

/** Starts the program in a folder of its own; `end` removes both. */
export async function setStage(filling?: Filling): Promise<Stage> {
  const folder = temporaryFolder('abuse');
  const mailPort = await freePort();
  const program = await startProgram({
    dataDir: folder.path,
    env: { EMAIL_SIGNIN: 'true', TRUST_PROXY: '127.0.0.1', SMTP_PORT: String(mailPort), LOG_LEVEL: 'error' },
  });
  const end = async () => {
    await program.kill();
    folder.remove();
  };
  try {
    const { url } = program;
    const token = await sessionOf('me@example.com', folder.path, url);
    const secret = 'a secret that is long enough';
    const hook = await makeIntake(url, token, { verification: { scheme: 'hmac-sha256', secret } });
    const mail = await makeMailIntake(url, token);
    const keys = await makeKeys(url, token);
    const strangersToken = await sessionOf('stranger@example.com', folder.path, url);
    const strangersKeys = await makeKeys(url, strangersToken);
    if (filling !== undefined) await fill(url, strangersKeys, filling);
    return {
      program,
      user: {
        url,
        keys,
        hook: { url: hook.url, secret, header: 'x-signature-256', prefix: '' },
        mail: { port: mailPort, address: mail },
      },
      abuser: { url, keys: strangersKeys, hookUrl: hook.url, mailPort },
      end,
    };
  } catch (error) {
    await end();
    throw error;
  }
}

async function sessionOf(email: string, dataDir: string, url: string): Promise<string> {
  return signIn(url, runCommand(dataDir, ['signin-link', '--email', email, '--json']));
}

async function post(url: string, headers: Record<string, string>, body: object): Promise<Response> {
  return fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
  });
}

async function makeKeys(url: string, token: string): Promise<string[]> {
  const keys: string[] = [];
  for (let index = 0; index < KEYS; index++) {
    const made = await post(
      `${url}/api/v1/auth/api-keys`,
      { authorization: `Bearer ${token}` },
      { name: `k${index}`, scopes: ['read', 'write'] },
    );
    if (made.status !== 201) throw new Error(`a key: ${made.status} ${await made.text()}`);
    keys.push(((await made.json()) as { apiKey: { key: string } }).apiKey.key);
  }
  return keys;
}

async function makeMailIntake(url: string, token: string): Promise<string> {
  const made = await post(
    `${url}/api/v1/intakes`,
    { authorization: `Bearer ${token}` },
    { name: 'mail', adapter: 'smtp', verification: { scheme: 'none' } },
  );
  if (made.status !== 201) throw new Error(`an intake: ${made.status} ${await made.text()}`);
  return ((await made.json()) as { intake: { address: string } }).intake.address;
}

/** Fills a queue, up to its quota if it has one. */
async function fill(
  url: string,
  keys: readonly string[],
  { tasks, characters, metadataCharacters = 0 }: Filling,
): Promise<void> {
  const size = Math.max(
    1,
    Math.min(MAX_BATCH, Math.floor(BATCH_BYTES / (characters + metadataCharacters + 100))),
  );
  for (let made = 0; made < tasks; made += size) {
    const batch = Array.from({ length: Math.min(size, tasks - made) }, (_, index) => ({
      content: `${made + index} ${'lorem ipsum dolor sit amet '.repeat(characters / 27)}`.slice(
        0,
        characters,
      ),
    }));
    const key = keys[(made / size) % keys.length] ?? '';
    const answer = await post(`${url}/api/v1/tasks/batch`, { 'x-api-key': key }, { tasks: batch });
    if (answer.status === 201) continue;
    const text = await answer.text();
    if (made > 0 && /quota|full/i.test(text)) return;
    throw new Error(`a batch: ${answer.status} ${text}`);
  }
}
