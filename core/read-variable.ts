// One environment variable: what its text stands for, or a file that has it.
import { readFileSync } from 'node:fs';
import type { TSchema } from 'typebox';
import { Compile } from 'typebox/compile';
import { ConfigError } from './config-error.ts';
import type { Variable } from './variables.ts';

export type Environment = Readonly<Record<string, string | undefined>>;

/** Its value, undefined when it is not set or empty. Throws {@link ConfigError}, also of an empty file. */
export function readVariable(
  name: string,
  { schema, mustBe, secret: isSecret }: Variable<TSchema>,
  env: Environment,
): unknown {
  const raw = isSecret === true ? rawSecret(name, env) : env[name]?.trim();
  if (raw === undefined || raw === '') return undefined;
  const validator = Compile(schema);
  const value = candidates(raw).find((candidate) => validator.Check(candidate));
  if (value === undefined) throw new ConfigError(name, mustBe);
  return value;
}

function rawSecret(name: string, env: Environment): string | undefined {
  const file = env[`${name}_FILE`]?.trim();
  if (file === undefined || file === '') return env[name]?.trim();
  const value = textOf(`${name}_FILE`, file);
  // Who names a file means a value: without one, another would be made, or what it is for be left out.
  if (value === '')
    throw new ConfigError(`${name}_FILE`, `must be a file with the value in it: ${file} is empty`);
  return value;
}

function textOf(variable: string, file: string): string {
  try {
    return readFileSync(file, 'utf8').trim();
  } catch (error) {
    const { code = 'error' } = error as NodeJS.ErrnoException;
    throw new ConfigError(variable, `must be a readable file (${code})`);
  }
}

// What a variable's text may stand for, the narrowest reading first; the schema picks.
function candidates(raw: string): unknown[] {
  const items = raw.split(',').map((item) => item.trim());
  return [
    ...(/^\d+$/.test(raw) ? [Number(raw)] : []),
    ...(/^(true|false)$/i.test(raw) ? [raw.toLowerCase() === 'true'] : []),
    raw,
    items.filter((item) => item !== ''),
  ];
}
