// Runs Schemathesis on the real program: cases made from the OpenAPI document, right and wrong ones, call by
// call and in sequences. What it finds is where document and server disagree.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { delimiter, join } from 'node:path';
import { text } from 'node:stream/consumers';
import {
  commandLine,
  createKey,
  plainEnvironment,
  startProgram,
  temporaryFolder,
} from '#test/program/program.ts';
import { createOpenIntake, signIn } from '#test/program/signed-in.ts';
import type { Sought } from '#test/services/cache.ts';
import { installPackages } from '#test/services/python.ts';

const OPERATOR = 'owner@localhost';
const NO_LIMIT = '1000000000';

/** What one run said. `cases` is how many requests were generated. */
export interface Report {
  passed: boolean;
  cases: number;
  output: string;
}

/** The folder with Schemathesis and all that it needs, installed now if it was not. */
export function installSchemathesis(): Promise<Sought> {
  return installPackages('schemathesis', join(import.meta.dirname, 'requirements.txt'));
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
    const link = [process.execPath, commandLine(), 'signin-link', '--json'];
    const env = plainEnvironment({
      DATA_DIR: data.path,
      PYTHONPATH: [library, import.meta.dirname].join(delimiter),
      SCHEMATHESIS_HOOKS: 'hooks',
      PYTHONDONTWRITEBYTECODE: '1',
      QINBOX_URL: program.url,
      QINBOX_KEY: createKey(data.path, OPERATOR),
      QINBOX_INTAKE_TOKEN: await createOpenIntake(await signIn(data.path, program.url, OPERATOR)),
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
