// The file `.env` of the folder that the program runs in: variables that its environment does not have.
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { parseEnv } from 'node:util';
import { ConfigError } from './config-error.ts';

/**
 * Sets what the file has and `env` has not. Without a file nothing is set; throws {@link ConfigError} where
 * it is there and cannot be read. Node's own `process.loadEnvFile` says then that it is not there, and takes
 * the mark that editors of Windows begin a file with for a part of the first name.
 */
export function loadEnvFile(env: NodeJS.ProcessEnv, file = '.env'): void {
  for (const [name, value] of Object.entries(parseEnv(textOf(file).replace(/^\uFEFF/, ''))))
    env[name] ??= value;
}

function textOf(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    const { code = 'error' } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT') return '';
    throw new ConfigError(resolve(file), `must be a file that this account may read (${code})`);
  }
}
