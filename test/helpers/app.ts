// A fresh application on a store of its own, with a clock that the test owns, for tests that inject requests.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { FastifyInstance, InjectOptions, onRouteHookHandler } from 'fastify';
import { pino } from 'pino';
import { onTestFinished } from 'vitest';
import { createScryptHasher } from '#adapters/scrypt/password-hasher.ts';
import { buildApp } from '#api/app.ts';
import { compose } from '#api/compose.ts';
import type { Parts } from '#api/services/services.ts';
import { readConfig } from '#core/config.ts';
import type { Scope } from '#core/contract/index.ts';
import type { UserRecord } from '#core/domain/account.ts';
import type { PasswordHasher } from '#core/ports/password-hasher.ts';
import { createFakeClock, type FakeClock } from './clock.ts';
import { expectDocumented } from './documented.ts';

/** 2026-11-21T09:00:00.000Z. */
export const MORNING = Date.UTC(2026, 10, 21, 9);

export interface TestApp {
  app: FastifyInstance;
  parts: Parts;
  clock: FakeClock;
  /** Everything that was logged, one JSON line each. */
  logged(): string;
  user(email?: string): Promise<UserRecord>;
  /** A new API key of the user with this e-mail. */
  key(email?: string, scopes?: readonly Scope[]): Promise<string>;
  /** A new session of the user with this e-mail. */
  session(email?: string): Promise<{ accessToken: string; refreshToken: string }>;
  /** Injects a request below /api/v1. The answer must be as documented. */
  call(
    method: NonNullable<InjectOptions['method']>,
    path: string,
    options?: CallOptions,
  ): Promise<CallResult>;
}

/** Hashes that cost next to nothing, on a thread that all applications of a test file share. */
const passwords: PasswordHasher = {
  ...createScryptHasher({ cost: { N: 2, r: 8, p: 1 } }),
  close: () => Promise.resolve(),
};

export interface CallOptions {
  key?: string;
  token?: string;
  body?: unknown;
  headers?: Record<string, string>;
  remoteAddress?: string;
  /** Instead of /api/v1. */
  base?: string;
}

export interface CallResult {
  status: number;
  headers: Record<string, string | string[] | number | undefined>;
  body: Record<string, unknown>;
  text: string;
}

export interface Fixture extends TestApp {
  close(): Promise<void>;
}

/** Builds the application; it is closed and its folder removed when the test ends. */
export async function createTestApp(
  env: Record<string, string> = {},
  onRoute?: onRouteHookHandler,
): Promise<TestApp> {
  const fixture = await buildFixture(env, onRoute);
  onTestFinished(fixture.close);
  return fixture;
}

/** The same, with an API key of me@example.com. */
export async function createAppWithKey(
  env: Record<string, string> = {},
): Promise<TestApp & { key1: string }> {
  const app = await createTestApp(env);
  return { ...app, key1: await app.key() };
}

/** By settings: the document takes longer to write than most tests do. */
const documents = new Map<string, object>();

function documentOf(app: FastifyInstance, env: Record<string, string>): object {
  const name = JSON.stringify({ ...env, DATA_DIR: '' });
  const document = documents.get(name) ?? app.swagger();
  documents.set(name, document);
  return document;
}

/** Builds the application for several tests, who close it. */
export async function buildFixture(
  env: Record<string, string> = {},
  onRoute?: onRouteHookHandler,
): Promise<Fixture> {
  const dataDir = mkdtempSync(join(tmpdir(), 'qinbox-app-'));
  const clock = createFakeClock(MORNING);
  const lines: string[] = [];
  const log = pino({ level: 'debug', base: null }, { write: (line: string) => void lines.push(line) });
  const config = readConfig({ DATA_DIR: dataDir, SMTP_PORT: 'off', ...env });
  const started = async () => {
    const parts = await compose(config, { clock, log, passwords });
    const app = await buildApp(parts, onRoute);
    await app.ready();
    return { parts, app };
  };
  const { parts, app } = await started().catch((error: unknown) => {
    rmSync(dataDir, { recursive: true, force: true });
    throw error;
  });
  const document = documentOf(app, env);

  const user = async (email = 'me@example.com') => (await parts.accounts.ensureUser(email)).user;
  return {
    async close() {
      await app.close();
      rmSync(dataDir, { recursive: true, force: true });
    },
    app,
    parts,
    clock,
    logged: () => lines.join(''),
    user,
    async key(email, scopes) {
      const { id } = await user(email);
      return (await parts.apiKeys.create(id, { name: 'test', ...(scopes === undefined ? {} : { scopes }) }))
        .key;
    },
    async session(email) {
      return (await parts.accounts.startSession(await user(email))).tokens;
    },
    async call(method, path, { key, token, body, headers = {}, remoteAddress, base = '/api/v1' } = {}) {
      const json = body !== undefined && typeof body !== 'string' && !Buffer.isBuffer(body);
      const response = await app.inject({
        method,
        url: `${base}${path}`,
        headers: {
          ...(key === undefined ? {} : { 'x-api-key': key }),
          ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
          ...(json ? { 'content-type': 'application/json' } : {}),
          ...headers,
        },
        ...(body === undefined ? {} : { payload: json ? JSON.stringify(body) : body }),
        ...(remoteAddress === undefined ? {} : { remoteAddress }),
      });
      expectDocumented(document, method, `${base}${path.split('?')[0] as string}`, {
        status: response.statusCode,
        headers: response.headers,
        text: response.body,
      });
      return {
        status: response.statusCode,
        headers: response.headers,
        body: response.headers['content-type']?.toString().includes('json') === true ? response.json() : {},
        text: response.body,
      };
    },
  };
}
