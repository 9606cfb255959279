// Runs Schemathesis on the real program: cases made from the OpenAPI document, right and wrong ones, call by
// call and in sequences. What it finds is where document and server disagree.
import { execFile, spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { text } from 'node:stream/consumers';
import { promisify } from 'node:util';
import {
  createKey,
  createSignInLink,
  plainEnvironment,
  root,
  startProgram,
  temporaryFolder,
} from '#test/program/program.ts';
import { cacheFolder, complaintOf, type Sought } from '#test/services/cache.ts';
import { findProgram } from '#test/services/service.ts';

const OPERATOR = 'owner@localhost';
const REQUIREMENTS = join(import.meta.dirname, 'requirements.txt');
const NO_LIMIT = '1000000000';

/** What one run said. `cases` is how many requests were generated. */
export interface Report {
  passed: boolean;
  cases: number;
  output: string;
}

/** The folder with Schemathesis and all that it needs, installed now if it was not. */
export async function installSchemathesis(): Promise<Sought> {
  const python = findProgram('python3');
  if (python === null) return { missing: 'there is no Python to run Schemathesis with' };
  const hash = createHash('sha256').update(readFileSync(REQUIREMENTS)).digest('hex').slice(0, 12);
  const path = join(cacheFolder(), `schemathesis-${hash}`);
  if (existsSync(path)) return { path };
  const folder = mkdtempSync(join(cacheFolder(), 'schemathesis-'));
  const quiet = ['--quiet', '--disable-pip-version-check', '--no-deps'];
  try {
    await promisify(execFile)(python, [
      '-m',
      'pip',
      'install',
      ...quiet,
      '-r',
      REQUIREMENTS,
      '--target',
      folder,
    ]);
    // In one step: another run may be at it, too.
    if (!existsSync(path)) renameSync(folder, path);
    return { path };
  } catch (error) {
    return { missing: `Schemathesis could not be installed (${complaintOf(error)})` };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/**
 * Starts the program on a store of its own and tests it with up to `examples` cases for each operation and
 * kind; the same ones each time with the same `seed`.
 */
export async function testApi(library: string, examples: number, seed?: number): Promise<Report> {
  const data = temporaryFolder('schemathesis');
  const program = await startProgram({
    dataDir: data.path,
    env: {
      // Each case comes from an address of its own.
      TRUST_PROXY: 'true',
      EMAIL_SIGNIN: 'true',
      RATE_LIMIT_PER_MINUTE: NO_LIMIT,
      RATE_LIMIT_PER_HOUR: NO_LIMIT,
      RATE_LIMIT_SESSION_PER_MINUTE: NO_LIMIT,
      SMTP_PORT: '0',
      SMTP_DOMAIN: 'in.example.com',
    },
  });
  try {
    const link = [process.execPath, join(root, 'cli', 'qinbox.mjs'), 'signin-link', '--json'];
    const env = plainEnvironment({
      DATA_DIR: data.path,
      PYTHONPATH: [library, import.meta.dirname].join(delimiter),
      SCHEMATHESIS_HOOKS: 'hooks',
      PYTHONDONTWRITEBYTECODE: '1',
      QINBOX_URL: program.url,
      QINBOX_KEY: createKey(data.path, OPERATOR),
      QINBOX_INTAKE_TOKEN: await createIntake(data.path, program.url),
      QINBOX_SIGN_IN: JSON.stringify([...link, '--email', OPERATOR]),
    });
    const generation = [
      '--max-examples',
      String(examples),
      ...(seed === undefined ? [] : ['--seed', String(seed)]),
    ];
    return await schemathesis(library, program.url, generation, env, data.path);
  } finally {
    await program.stop();
    data.remove();
  }
}

/** Makes an intake that takes anything; returns the token of its address. */
async function createIntake(dataDir: string, url: string): Promise<string> {
  const link = new URL(createSignInLink(dataDir, url, OPERATOR));
  const call = async (path: string, body: object, headers: Record<string, string> = {}): Promise<unknown> => {
    const answer = await fetch(`${url}/api/v1${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: JSON.stringify(body),
    });
    return answer.json();
  };
  const token = new URLSearchParams(link.hash.slice(1)).get('signin');
  const { tokens } = (await call('/auth/link', { token })) as { tokens: { accessToken: string } };
  const { intake } = (await call(
    '/intakes',
    { name: 'Anything', adapter: 'webhook', verification: { scheme: 'none' } },
    { authorization: `Bearer ${tokens.accessToken}` },
  )) as { intake: { address: string } };
  return intake.address.split('/').at(-1) ?? '';
}

async function schemathesis(
  library: string,
  url: string,
  generation: readonly string[],
  env: Record<string, string>,
  folder: string,
): Promise<Report> {
  const args = [
    ...[join(library, 'bin', 'st'), '--config-file', join(import.meta.dirname, 'schemathesis.toml')],
    ...['run', `${url}/api/v1/openapi.json`, '--no-color'],
    ...generation,
  ];
  const child = spawn('python3', args, { cwd: folder, env, stdio: ['ignore', 'pipe', 'inherit'] });
  const [output, [code]] = await Promise.all([text(child.stdout), once(child, 'exit') as Promise<[number]>]);
  return { passed: code === 0, cases: Number(/(\d+) generated/.exec(output)?.[1] ?? 0), output };
}
