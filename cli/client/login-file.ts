// Where a server's address and the key that opens it come from: the environment, or the file that
// `qinbox login` wrote. A key of the file goes to the address of the file alone.
import { chmodSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import { makeFolder } from '#core/make-folder.ts';
import { CommandError, EXIT_NO_LOGIN, UsageError } from '../command.ts';

export const DEFAULT_URL = 'http://localhost:3000';

/** A server and the key that opens it. */
export interface Login {
  url: string;
  key: string;
}

type Environment = Readonly<Record<string, string | undefined>>;

/** The folder for configuration of this account: XDG's, or that of the platform. */
export function configFolder(platform: NodeJS.Platform, env: Environment, home: string): string {
  const given = platform === 'win32' ? env['APPDATA'] : undefined;
  const ownFolder = env['XDG_CONFIG_HOME'] || given;
  if (ownFolder) return ownFolder;
  if (platform === 'win32') return join(home, 'AppData', 'Roaming');
  return platform === 'darwin' ? join(home, 'Library', 'Application Support') : join(home, '.config');
}

function loginFile(): string {
  return join(configFolder(process.platform, process.env, homedir()), 'qinbox', 'login.json');
}

/** Stores a login for the next commands, readable by this account alone; answers in which file. */
export function saveLogin(login: Login): string {
  const file = loginFile();
  const folder = dirname(file);
  makeFolder(folder, 0o700);
  chmodSync(folder, 0o700);
  const draft = `${file}.${process.pid}`;
  rmSync(draft, { force: true });
  writeFileSync(draft, `${JSON.stringify(login)}\n`, { mode: 0o600, flag: 'wx' });
  renameSync(draft, file);
  return file;
}

/** Removes the file; the login that was in it, or null. */
export function removeLogin(): { file: string; login: Login | null } {
  const file = loginFile();
  const login = storedLogin();
  rmSync(file, { force: true });
  return { file, login };
}

function storedLogin(): Login | null {
  try {
    const { url, key } = JSON.parse(readFileSync(loginFile(), 'utf8')) as Partial<Login>;
    return typeof url === 'string' && typeof key === 'string' ? { url, key } : null;
  } catch {
    return null;
  }
}

/** `QINBOX_URL` and `QINBOX_KEY`, or what `login` stored. */
export function readLogin(): Login {
  return chooseLogin(process.env, storedLogin());
}

/** Whether {@link readLogin} has something to read. */
export function isLoggedIn(): boolean {
  return Boolean(process.env['QINBOX_KEY']?.trim()) || storedLogin() !== null;
}

/** Pure part of {@link readLogin}. */
export function chooseLogin(env: Environment, stored: Login | null): Login {
  const url = env['QINBOX_URL'] ? urlVariable(env['QINBOX_URL']) : undefined;
  const key = env['QINBOX_KEY']?.trim();
  if (key && !isKey(key)) throw wrongVariable('QINBOX_KEY must be an API key, and nothing else');
  if (key) return { url: url ?? stored?.url ?? DEFAULT_URL, key };
  if (stored === null)
    throw new CommandError(
      `Not logged in. Run: qinbox login --url ${url ?? DEFAULT_URL}, or set QINBOX_URL and QINBOX_KEY.`,
      EXIT_NO_LOGIN,
    );
  if (url !== undefined && url !== stored.url)
    throw new CommandError(
      `QINBOX_URL is ${url}, and the stored key is for ${stored.url}: set QINBOX_KEY as well, or log in there.`,
      EXIT_NO_LOGIN,
    );
  return stored;
}

/** Whether a text may be a key: what else would be no header. */
export function isKey(text: string): boolean {
  return /^[!-~]+$/.test(text);
}

/** The address of a server, without a slash at its end; throws {@link UsageError}. */
export function readUrl(text: string, name: string): string {
  const url = parseUrl(text);
  if (url === null) throw new UsageError(`${name} ${URL_FORM}.`);
  return url;
}

const URL_FORM = 'must be the address of a server, such as https://inbox.example.com';

/** The same of the variable `QINBOX_URL`, whose fault is one of the configuration. */
export function urlVariable(text: string): string {
  const url = parseUrl(text);
  if (url === null) throw wrongVariable(`QINBOX_URL ${URL_FORM}`);
  return url;
}

function wrongVariable(sentence: string): CommandError {
  return new CommandError(`${sentence}.`, EXIT_NO_LOGIN);
}

function parseUrl(text: string): string | null {
  const url = URL.canParse(text.trim()) ? new URL(text.trim()) : null;
  if (url === null || !/^https?:$/.test(url.protocol) || `${url.username}${url.password}${url.search}` !== '')
    return null;
  return `${url.origin}${url.pathname}`.replace(/\/+$/, '');
}
