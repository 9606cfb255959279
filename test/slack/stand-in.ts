// A stand-in for Slack: the calls of its Web API that Qinbox makes, response URLs and Socket Mode, over real
// HTTP and WebSocket. Strict about tokens, required arguments and shapes, as Slack is; and able to be busy or
// away.
import { randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { setTimeout as pause } from 'node:timers/promises';
import { WebSocketServer, type WebSocket } from 'ws';
import { waitFor } from '#test/program/wait.ts';
import { faultInBlocks, faultInView } from './shapes.ts';

export const BOT_TOKEN = 'xoxb-canary-bot-token';
export const APP_TOKEN = 'xapp-canary-app-token';
export const CLIENT = { id: '123.456', secret: 'canary-client-secret' };

type Json = Record<string, unknown>;

export interface Call {
  /** Name of the method, or `respond`. */
  method: string;
  args: Json;
  token: string | null;
}

interface Trouble {
  status: number;
  retryAfter?: number;
  times: number;
  /** The call is carried out nevertheless. */
  isDone?: true;
}

/** A message that the app sent. */
export interface Posted {
  channel: string;
  ts: string;
  /** In milliseconds. */
  at: number;
  text: string;
  metadata: { event_type: string; event_payload: { id: string } } | null;
}

/** Arguments that a method cannot do without. */
const REQUIRED: Readonly<Record<string, readonly string[]>> = {
  'views.open': ['trigger_id', 'view'],
  'views.publish': ['user_id', 'view'],
  'chat.postMessage': ['channel', 'text', 'blocks'],
  'chat.postEphemeral': ['channel', 'user', 'text', 'blocks'],
  'chat.update': ['channel', 'ts', 'text', 'blocks'],
  'chat.getPermalink': ['channel', 'message_ts'],
  'conversations.replies': ['channel', 'ts'],
  'conversations.open': ['users'],
  'conversations.history': ['channel', 'oldest', 'latest'],
  'users.info': ['user'],
};
const JSON_ARGUMENTS = new Set(['view', 'blocks', 'metadata']);

export type StandIn = Awaited<ReturnType<typeof startStandIn>>;

/** `messages` by `channel:ts`; `people` by id. */
export async function startStandIn() {
  const calls: Call[] = [];
  const troubles = new Map<string, Trouble>();
  const messages = new Map<string, Json>();
  const people = new Map<string, string>();
  const tokens = new Set([BOT_TOKEN]);
  const uses = new Map<string, number>();
  const codes = new Map<string, Json>();
  const tickets = new Set<string>();
  const sockets = new Set<WebSocket>();
  const waiting = new Map<string, (payload: Json) => void>();
  const posts: Posted[] = [];
  const refusals = new Map<string, Json>();
  const time = { now: () => Date.now(), answerAfterMs: 0 };

  const server = createServer((request, response) => {
    answer(request, response).catch((error: unknown) => {
      response.writeHead(500).end(String(error));
    });
  });

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = await text(request);
    const path = request.url ?? '';
    const send = (status: number, value: unknown, headers: Record<string, string> = {}) =>
      response
        .writeHead(status, { 'content-type': 'application/json', ...headers })
        .end(JSON.stringify(value));
    const [, kind, name = ''] = path.split('/');
    const method = kind === 'respond' ? 'respond' : name;
    const trouble = troubles.get(method) ?? troubles.get('*');
    if (trouble !== undefined && trouble.times-- > 0) {
      calls.push({ method: `${method} in vain`, args: {}, token: null });
      const headers: Record<string, string> =
        trouble.retryAfter === undefined ? {} : { 'retry-after': String(trouble.retryAfter) };
      if (trouble.isDone === true) carryOut(method, argumentsIn(body), tokenOf(request));
      return void send(trouble.status, { ok: false, error: 'ratelimited' }, headers);
    }
    if (request.method !== 'POST') return void send(405, {});
    if (kind === 'respond') return respondTo(name, JSON.parse(body) as Json, send);
    const answered = carryOut(method, argumentsIn(body), tokenOf(request));
    if (method === 'chat.postMessage' && time.answerAfterMs > 0) await pause(time.answerAfterMs);
    send(200, answered);
  }

  function post(args: Json): Posted {
    const { channel, text: said, metadata } = args as unknown as Omit<Posted, 'ts' | 'at'>;
    const one = {
      channel: channel.startsWith('U') ? `D${channel}` : channel,
      ts: `1700000000.${String(posts.length + 1).padStart(6, '0')}`,
      at: time.now(),
      text: said,
      metadata: metadata ?? null,
    };
    posts.push(one);
    return one;
  }

  /** Latest first, two at once. What is attached comes whole only where it is asked for. */
  function history(args: Json): Json {
    const [oldest, latest, from] = ['oldest', 'latest', 'cursor'].map((name) => Number(args[name] ?? 0));
    const found = posts
      .filter(
        ({ channel, at }) =>
          channel === args['channel'] && at >= (oldest ?? 0) * 1000 && at <= (latest ?? 0) * 1000,
      )
      .toReversed();
    const end = (from ?? 0) + 2;
    const isWhole = args['include_all_metadata'] === 'true';
    const messages = found.slice(from, end).map(({ at: _at, metadata, ...one }) => ({
      ...one,
      ...(metadata === null ? {} : { metadata: isWhole ? metadata : { event_type: metadata.event_type } }),
    }));
    return {
      ok: true,
      messages,
      response_metadata: { next_cursor: end < found.length ? String(end) : '' },
    };
  }

  function respondTo(id: string, args: Json, send: (status: number, value: unknown) => void): void {
    const left = uses.get(id);
    if (left === undefined) return send(404, { ok: false, error: 'expired_url' });
    if (left === 0) return send(404, { ok: false, error: 'used_url' });
    uses.set(id, left - 1);
    const fault = faultInBlocks(args['blocks'], 50);
    if (fault !== null || typeof args['text'] !== 'string') return send(400, { ok: false, error: fault });
    calls.push({ method: 'respond', args: { ...args, url: id }, token: null });
    send(200, { ok: true });
  }

  function carryOut(method: string, args: Json, token: string | null): Json {
    const fail = (error: string) => {
      calls.push({ method: `${method} refused: ${error}`, args, token });
      return { ok: false, error };
    };
    if (method === 'oauth.v2.access') {
      const right = args['client_id'] === CLIENT.id && args['client_secret'] === CLIENT.secret;
      const granted = codes.get(args['code'] as string);
      codes.delete(args['code'] as string);
      if (!right) return fail('bad_client_secret');
      return granted === undefined ? fail('invalid_code') : { ok: true, ...granted };
    }
    if (method === 'apps.connections.open') {
      if (token !== APP_TOKEN) return fail('invalid_auth');
      const ticket = randomUUID();
      tickets.add(ticket);
      return { ok: true, url: `ws://127.0.0.1:${port()}/link/?ticket=${ticket}` };
    }
    if (token === null || !tokens.has(token)) return fail('invalid_auth');
    const refusal = refusals.get(method);
    if (refusal !== undefined) return { ok: false, ...refusal };
    if (method === 'auth.test') return { ok: true, team_id: 'T0ACME', user_id: 'U0QINBOX' };
    const required = REQUIRED[method];
    if (required === undefined) return fail('unknown_method');
    const missing = required.find((name) => args[name] === undefined || args[name] === '');
    if (missing !== undefined) return fail(`missing ${missing}`);
    const fault =
      args['view'] === undefined
        ? args['blocks'] === undefined
          ? null
          : faultInBlocks(args['blocks'], 50)
        : faultInView(args['view'], method === 'views.open' ? 'modal' : 'home');
    if (fault !== null) return fail(`invalid_arguments: ${fault}`);
    if (method === 'conversations.replies') {
      const message = messages.get(`${args['channel'] as string}:${args['ts'] as string}`);
      if (message === undefined) return fail('thread_not_found');
      calls.push({ method, args, token });
      return { ok: true, messages: [message] };
    }
    calls.push({ method, args, token });
    switch (method) {
      case 'chat.postMessage': {
        const { channel, ts } = post(args);
        return { ok: true, channel, ts };
      }
      case 'conversations.open':
        return { ok: true, channel: { id: `D${args['users'] as string}` } };
      case 'conversations.history':
        return history(args);
      case 'chat.getPermalink':
        return {
          ok: true,
          permalink: `https://acme.slack.com/archives/${args['channel'] as string}/p${(args['message_ts'] as string).replace('.', '')}`,
        };
      case 'users.info': {
        const name = people.get(args['user'] as string);
        return name === undefined
          ? { ok: false, error: 'user_not_found' }
          : { ok: true, user: { id: args['user'], name, profile: { display_name: name } } };
      }
      default:
        return { ok: true };
    }
  }

  const hub = new WebSocketServer({ noServer: true });
  server.on('upgrade', (request, socket, head) => {
    const ticket = new URL(request.url ?? '', 'http://x').searchParams.get('ticket') ?? '';
    if (!tickets.delete(ticket)) return socket.destroy();
    hub.handleUpgrade(request, socket, head, (ws) => {
      ws.on('message', (data: Buffer) => {
        const { envelope_id: id, payload } = JSON.parse(data.toString()) as {
          envelope_id: string;
          payload: Json;
        };
        waiting.get(id)?.(payload);
        waiting.delete(id);
      });
      ws.on('close', () => sockets.delete(ws));
      ws.send(JSON.stringify({ type: 'hello', num_connections: 1, connection_info: { app_id: 'A1' } }));
      sockets.add(ws);
    });
  });

  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const port = () => (server.address() as AddressInfo).port;
  const origin = `http://127.0.0.1:${port()}`;

  return {
    calls,
    /** What was posted, in order. */
    posts,
    /** Errors that methods answer. */
    refusals,
    /** Its clock, and how long it takes to answer what it has posted. */
    time,
    messages,
    people,
    tokens,
    codes,
    sockets,
    apiUrl: `${origin}/api/`,
    /** A response URL as Slack makes them: five uses. */
    responseUrl(): string {
      const id = randomUUID();
      uses.set(id, 5);
      return `${origin}/respond/${id}`;
    },
    /** The next `times` calls of a method, `respond` or all (`*`) fail so. */
    trouble: (method: string, trouble: Trouble) => void troubles.set(method, { ...trouble }),
    wellAgain: () => troubles.clear(),
    /** Calls of a method so far. */
    made: (method: string) => calls.filter((call) => call.method === method),
    /** Waits until a method was called so often, and answers the last of these calls. */
    waitForCall: (method: string, count = 1): Promise<Call> =>
      waitFor(
        `call ${count} of ${method}; there were ${JSON.stringify(calls.map((call) => call.method))}`,
        () => calls.filter((call) => call.method === method)[count - 1],
      ),
    /** Sends an envelope over the socket and waits for what acknowledges it. */
    async deliver(type: 'slash_commands' | 'interactive' | 'events_api', payload: Json): Promise<Json> {
      const ws = await waitFor('a socket', () => [...sockets][0]);
      const id = randomUUID();
      const acknowledged = new Promise<Json>((resolve) => waiting.set(id, resolve));
      ws.send(
        JSON.stringify({ envelope_id: id, type, payload, accepts_response_payload: type !== 'events_api' }),
      );
      return acknowledged;
    },
    /** As Slack does when it moves connections. */
    askToLeave(): void {
      for (const ws of sockets) ws.send(JSON.stringify({ type: 'disconnect', reason: 'refresh_requested' }));
    },
    async close(): Promise<void> {
      for (const ws of sockets) ws.terminate();
      hub.close();
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

function tokenOf({ headers }: IncomingMessage): string | null {
  return /^Bearer (.+)$/.exec(headers.authorization ?? '')?.[1] ?? null;
}

/** A form, in which structured arguments are JSON. */
function argumentsIn(body: string): Json {
  return Object.fromEntries(
    [...new URLSearchParams(body)].map(([name, value]) => [
      name,
      JSON_ARGUMENTS.has(name) ? (JSON.parse(value) as unknown) : value,
    ]),
  );
}
