// Talks to a server over its API, as anybody with a key does. The address and the key come from the
// environment or from `login`.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import { API_BASE, type ErrorBody, type Method } from '#core/contract/index.ts';

const TIMEOUT_MS = 10_000;

/** A server and the key that opens it. */
export interface Login {
  url: string;
  key: string;
}

function loginFile(): string {
  return join(process.env['XDG_CONFIG_HOME'] ?? join(homedir(), '.config'), 'qinbox', 'login.json');
}

/** Keeps a login for the next commands, readable by this account alone. */
export function saveLogin(login: Login): string {
  const file = loginFile();
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
  writeFileSync(file, JSON.stringify(login), { mode: 0o600 });
  return file;
}

/** `QINBOX_URL` and `QINBOX_KEY`, or what `login` kept. */
export function readLogin(): Login {
  const { QINBOX_URL: url, QINBOX_KEY: key } = process.env;
  if (key !== undefined && key !== '') return { url: url ?? 'http://localhost:3000', key };
  try {
    return JSON.parse(readFileSync(loginFile(), 'utf8')) as Login;
  } catch {
    throw new Error('Not logged in. Run: qinbox login --url http://localhost:3000 --key qi_…');
  }
}

/** Makes one call; throws the server's own words when it refuses. */
export async function call<T>({ url, key }: Login, method: Method, path: string, body?: unknown): Promise<T> {
  let response: Response;
  try {
    response = await fetch(`${url}${API_BASE}${path}`, {
      method,
      headers: { 'x-api-key': key, ...(body === undefined ? {} : { 'content-type': 'application/json' }) },
      body: body === undefined ? null : JSON.stringify(body),
      signal: AbortSignal.timeout(TIMEOUT_MS),
    });
  } catch (error) {
    throw new Error(
      `${url} does not answer. Is the server running? (${((error as Error).cause as Error | undefined)?.message ?? (error as Error).message})`,
      { cause: error },
    );
  }
  const answer = (await response.json().catch(() => null)) as (T & Partial<ErrorBody>) | null;
  if (!response.ok || answer === null)
    throw new Error(answer?.error ?? `${url} answered ${response.status}, and nothing that Qinbox says.`);
  return answer;
}
