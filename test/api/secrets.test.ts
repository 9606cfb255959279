// Secrets stay where they belong: none in a log, none in an answer that did not create it, none in the files.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, expect, it } from 'vitest';
import { buildFixture, type CallResult, type Fixture } from '#test/helpers/app.ts';

const PASSWORD = 'canary-password-5f1c';
const ID_TOKEN = 'canary.idtoken.9d2e';

interface Planted {
  fixture: Fixture;
  /** By what each is. */
  secrets: Record<string, string>;
  answers: CallResult[];
}

/** Uses every way in, and provokes every kind of fault, with secrets that can be searched for. */
async function plant(): Promise<Planted> {
  const fixture = await buildFixture({
    LOG_LEVEL: 'trace',
    JWT_SECRET: 'canary-signing-secret-0123456789abcdef',
    EMAIL_SIGNIN: 'true',
  });
  const { call, parts, user } = fixture;
  const signup = await call('POST', '/auth/signup', {
    body: { name: 'Ann', email: 'ann@example.com', password: PASSWORD },
  });
  const { accessToken, refreshToken } = signup.body['tokens'] as {
    accessToken: string;
    refreshToken: string;
  };
  const made = await call('POST', '/auth/api-keys', { token: accessToken, body: { name: 'k' } });
  const { key } = made.body['apiKey'] as { key: string };
  const link = await parts.accounts.createLink(await user('linked@example.com'));
  const usedLink = await parts.accounts.createLink(await user('linked@example.com'));
  await call('POST', '/auth/link', { body: { token: usedLink.token } });
  const ticket = (await call('POST', '/live/ticket', { token: accessToken })).body['ticket'] as string;
  const secrets = {
    PASSWORD,
    ID_TOKEN,
    accessToken,
    refreshToken,
    key,
    link: link.token,
    usedLink: usedLink.token,
    ticket,
    signing: 'canary-signing-secret',
  };

  const answers = [
    await call('POST', '/auth/login', { body: { email: 'ann@example.com', password: `${PASSWORD}x` } }),
    await call('POST', '/auth/login', {
      body: `{"email":"ann@example.com","password":"${PASSWORD}"`,
      headers: { 'content-type': 'application/json' },
    }),
    await call('POST', '/auth/login', { body: { email: 5, password: PASSWORD } }),
    await call('POST', '/auth/google', { body: { idToken: ID_TOKEN } }),
    await call('POST', '/auth/link', { body: { token: usedLink.token } }),
    await call('GET', '/auth/profile', { token: accessToken }),
    await call('GET', '/auth/api-keys', { token: accessToken }),
    await call('GET', '/tasks', { key: `${key.slice(0, -1)}!` }),
    await call('GET', '/tasks', { key, headers: { authorization: `Basic ${key}` } }),
    await call('GET', `/nothing?key=${key}`, { key }),
    await call('DELETE', '/tasks', { key }),
    await call('GET', '/config'),
    await call('GET', '/openapi.json'),
  ];
  return { fixture, secrets, answers };
}

function expectNone(text: string, secrets: Record<string, string>, where: string): void {
  const found = Object.entries(secrets).filter(([, secret]) => text.includes(secret));
  expect(found.map(([name]) => `${name} in ${where}`)).toEqual([]);
}

describe('secrets', () => {
  it('are in no answer but the one that made them, and in no log, also when everything fails', async () => {
    const { fixture, secrets, answers } = await plant();
    for (const answer of answers) expectNone(answer.text, secrets, answer.text.slice(0, 120));
    await fixture.parts.storage.close();
    fixture.clock.advance(60_000);
    const failed = [
      await fixture.call('GET', '/tasks', { key: secrets['key'] as string }),
      await fixture.call('POST', '/auth/login', { body: { email: 'ann@example.com', password: PASSWORD } }),
      await fixture.call('POST', '/auth/refresh', { body: { refreshToken: secrets['refreshToken'] } }),
    ];
    expect(failed.map(({ status }) => status)).toEqual([503, 503, 503]);
    for (const answer of failed) expectNone(answer.text, secrets, answer.text);
    expect(fixture.logged()).toContain('the store does not answer');
    expectNone(fixture.logged(), secrets, 'the log');
    await fixture.close();
  });

  it('cannot be used by a reader of the data file with a SQLite client, nor found in its bytes', async () => {
    const { fixture, secrets } = await plant();
    const { dataDir } = fixture.parts.config;
    const rows: string[] = [];
    const file = new DatabaseSync(join(dataDir, 'qinbox.db'), { readOnly: true });
    const tables = file.prepare("SELECT name FROM sqlite_master WHERE type = 'table'").all() as {
      name: string;
    }[];
    for (const { name } of tables) rows.push(JSON.stringify(file.prepare(`SELECT * FROM "${name}"`).all()));
    file.close();
    expect(tables.map(({ name }) => name)).toEqual(
      expect.arrayContaining(['users', 'api_keys', 'sessions', 'signin_links']),
    );
    expect(rows.join('')).toContain('ann@example.com');
    expectNone(rows.join(''), secrets, 'the tables');
    const bytes = readdirSync(dataDir)
      .filter((name) => name.startsWith('qinbox.db'))
      .map((name) => readFileSync(join(dataDir, name), 'latin1'));
    expectNone(bytes.join(''), secrets, 'the bytes of the file');
    await fixture.close();
  });
});
