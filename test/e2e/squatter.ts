// Somebody who signed up with another person's address, and everything that they can leave: all of it must
// end when the owner proves the address.
import { once } from 'node:events';
import { expect } from 'vitest';
import { WebSocket } from 'ws';
import { waitFor } from '#test/program/wait.ts';
import { commandFields, type Sender } from '#test/slack/sender.ts';

export type Json = Record<string, unknown>;

/** An answer of the API. */
export interface Answer {
  status: number;
  body: Json;
}

let addresses = 0;

/**
 * A call of the API, from an address of its own, so that no limit of sign-in routes is in the way
 * (TRUST_PROXY=true).
 */
export async function call(
  url: string,
  method: string,
  path: string,
  { body, token, key }: { body?: object; token?: string; key?: string } = {},
): Promise<Answer> {
  addresses++;
  const response = await fetch(`${url}/api/v1${path}`, {
    method,
    headers: {
      'x-forwarded-for': `10.1.${addresses >> 8}.${addresses & 255}`,
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
      ...(key === undefined ? {} : { 'x-api-key': key }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  return { status: response.status, body: (await response.json()) as Json };
}

/** The answer to a sign-in. */
export interface Session {
  accessToken: string;
  refreshToken: string;
}

export interface Squatter {
  email: string;
  /** Proves that every way in of theirs works. */
  expectIn(): Promise<void>;
  /** Proves that none does. */
  expectOut(): Promise<void>;
}

const PASSWORD = 'squatting here';
let people = 0;

/**
 * Signs up with an address and leaves everything behind that can be left. `slack` speaks to the program that
 * listens to Slack.
 */
export async function squat(url: string, slack: Sender, email: string): Promise<Squatter> {
  const signedUp = await call(url, 'POST', '/auth/signup', {
    body: { name: 'Squatter', email, password: PASSWORD },
  });
  expect(signedUp.status).toBe(201);
  const { accessToken: token, refreshToken } = signedUp.body['tokens'] as Session;
  const made = await call(url, 'POST', '/auth/api-keys', { token, body: { name: 'backdoor' } });
  const { key } = made.body['apiKey'] as { key: string };
  const intake = await call(url, 'POST', '/intakes', {
    token,
    body: { name: 'backdoor', adapter: 'webhook', verification: { scheme: 'none' } },
  });
  const address = url + new URL((intake.body['intake'] as { address: string }).address).pathname;
  const newCode = async () => (await call(url, 'POST', '/slack/code', { token })).body['code'] as string;
  const user = `USQUAT${++people}`;
  const command = async (text: string, as = user) =>
    (await slack.form(commandFields(text, { user_id: as }))).text;
  expect(await command(`link ${await newCode()}`)).toContain('You are linked');
  const pendingCode = await newCode();

  const ticket = (await call(url, 'POST', '/live/ticket', { token })).body['ticket'] as string;
  const socket = new WebSocket(`${url.replace('http', 'ws')}/api/v1/live`, ['qinbox.v1', `ticket.${ticket}`]);
  let closeCode: number | null = null;
  socket.once('close', (code) => (closeCode = code));
  await once(socket, 'open');

  const post = async () =>
    (
      await fetch(address, {
        method: 'POST',
        headers: { 'content-type': 'text/plain' },
        body: 'from outside',
      })
    ).status;
  const login = () => call(url, 'POST', '/auth/login', { body: { email, password: PASSWORD } });
  return {
    email,
    async expectIn() {
      expect((await call(url, 'GET', '/auth/profile', { token })).status).toBe(200);
      expect((await call(url, 'GET', '/tasks', { key })).status).toBe(200);
      expect(await post()).toBe(202);
      expect(await command('list')).not.toContain('not linked');
      expect((await login()).status).toBe(200);
    },
    async expectOut() {
      expect(await waitFor('the live connection to be closed', () => closeCode, 10_000)).toBe(4401);
      expect((await call(url, 'GET', '/auth/profile', { token })).status).toBe(401);
      expect((await call(url, 'POST', '/auth/api-keys', { token, body: { name: 'x' } })).status).toBe(401);
      expect((await call(url, 'POST', '/auth/refresh', { body: { refreshToken } })).status).toBe(401);
      expect((await call(url, 'GET', '/tasks', { key })).status).toBe(401);
      expect((await login()).status).toBe(401);
      expect(await post()).toBe(404);
      expect(await command('buy milk')).toContain('link');
      expect(await command(`link ${pendingCode}`, `${user}B`)).toContain('This code is not good');
      const again = await call(url, 'POST', '/auth/signup', {
        body: { name: 'Squatter', email, password: PASSWORD },
      });
      expect(again.status).toBe(409);
    },
  };
}
