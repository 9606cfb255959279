// What `.env` sets, and that one which is there and cannot be read is not passed over.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { ConfigError } from './config-error.ts';
import { loadEnvFile } from './env-file.ts';

function fileIn(): string {
  const folder = mkdtempSync(join(tmpdir(), 'qinbox-env-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  return join(folder, '.env');
}

it('sets what the environment has not, also behind the mark that editors of Windows begin a file with', () => {
  const file = fileIn();
  writeFileSync(file, '\uFEFFPORT=3001\r\nHOST="::1"\r\n# no\r\nLOG_LEVEL=warn\r\nDATA_DIR=/b\r\n');
  const env = { LOG_LEVEL: 'debug', DATA_DIR: '' };
  loadEnvFile(env, file);
  expect(env).toEqual({ PORT: '3001', HOST: '::1', LOG_LEVEL: 'debug', DATA_DIR: '' });
});

it('sets nothing where there is no file', () => {
  const env = {};
  loadEnvFile(env, fileIn());
  expect(env).toEqual({});
});

it('refuses one that cannot be read, by its path', () => {
  const file = fileIn();
  // What Docker makes of a file that is mounted and not there.
  mkdirSync(file);
  expect(() => loadEnvFile({}, file)).toThrow(
    new ConfigError(file, 'must be a file that this account may read (EISDIR)'),
  );
});
