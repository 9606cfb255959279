// Two subscribers behind a network that is cut again and again, while messages come: one as ntfy's clients
// subscribe, one as Gotify's app does. Each must have every message, once.
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as pause } from 'node:timers/promises';
import { WebSocket } from 'ws';
import { createKey, plainEnvironment, startProgram, temporaryFolder } from '#test/program/program.ts';
import { waitFor } from '#test/program/wait.ts';
import { startProxy } from '#test/services/proxy.ts';

const WAIT_MS = 120_000;

interface Plan {
  messages: number;
  cuts: number;
  /** Messages made by one request. */
  batch: number;
  /** Path of ntfy's binary; without it, the test itself subscribes as ntfy's app does. */
  ntfy: string | null;
}

interface Subscriber {
  /** What it was told, in order. */
  seen: string[];
  /** What it was told a second time. */
  twice(): number;
  /** Its connection was cut. */
  cut?(): void;
  stop(): Promise<void>;
}

/** What a subscriber has in the end. */
interface Outcome {
  /** The first few. */
  missing: string[];
  twice: number;
  /** How many messages it has. */
  seen: number;
}

/** Where messages are made, in turns, and where the subscribers are. */
export interface Server {
  makeAt: readonly string[];
  /** On this machine. */
  port: number;
  key: string;
}

/** One process on its embedded store, for as long as `work` takes. */
export async function withProgram<T>(work: (server: Server) => Promise<T>): Promise<T> {
  const folder = temporaryFolder('cuts');
  const dataDir = join(folder.path, 'data');
  const env = {
    RATE_LIMIT_PER_MINUTE: '10000000',
    RATE_LIMIT_PER_HOUR: '10000000',
    MAX_TASKS_PER_OWNER: '200000',
  };
  const program = await startProgram({ dataDir, env });
  try {
    return await work({ makeAt: [program.url], port: program.port, key: createKey(dataDir) });
  } finally {
    await program.stop();
    folder.remove();
  }
}

/** Both subscribers' outcomes. */
export async function deliverUnderCuts(
  { makeAt, port, key }: Server,
  { messages, cuts, batch, ntfy }: Plan,
): Promise<Record<'ntfy' | 'gotify', Outcome>> {
  const proxy = await startProxy('127.0.0.1', port);
  const url = `http://127.0.0.1:${proxy.port}`;
  const subscribers = {
    ntfy: ntfy === null ? subscribeAsNtfy(url, key) : subscribeByCommand(ntfy, url, key),
    gotify: subscribeAsGotify(url, key),
  };
  try {
    const wanted = Array.from({ length: messages }, (_, index) => `message ${index}`);
    const requests = Math.ceil(messages / batch);
    const between = Math.max(1, Math.floor(requests / cuts));
    for (let request = 0; request < requests; request++) {
      await make(
        makeAt[request % makeAt.length] ?? '',
        key,
        wanted.slice(request * batch, (request + 1) * batch),
      );
      if (request % between !== between - 1) continue;
      proxy.refuse();
      subscribers.ntfy.cut?.();
      proxy.resume();
      // So that some cuts meet a subscriber that reads what it missed, and others one that listens.
      await pause(request % (3 * between) === 0 ? 60 : 5);
    }
    const outcomeOf = async ({ seen, twice }: Subscriber): Promise<Outcome> => {
      await waitFor('all messages', () => new Set(seen).size >= messages, WAIT_MS).catch(() => {});
      return { missing: missingOf(wanted, seen), twice: twice(), seen: seen.length };
    };
    return { ntfy: await outcomeOf(subscribers.ntfy), gotify: await outcomeOf(subscribers.gotify) };
  } finally {
    for (const subscriber of Object.values(subscribers)) await subscriber.stop();
    await proxy.close();
  }
}

function missingOf(wanted: readonly string[], seen: readonly string[]): string[] {
  const known = new Set(seen);
  return wanted.filter((message) => !known.has(message)).slice(0, 10);
}

async function make(url: string, key: string, contents: readonly string[]): Promise<void> {
  const answer = await fetch(`${url}/api/v1/tasks/batch`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ tasks: contents.map((content) => ({ content })) }),
  });
  if (!answer.ok) throw new Error(`${answer.status} ${await answer.text()}`);
  await answer.arrayBuffer();
}

/** What one subscriber was told; `last` is the id with which it comes back. */
function createReader() {
  const seen: string[] = [];
  const ids = new Set<string>();
  let repeated = 0;
  let last = 'all';
  return {
    seen,
    twice: () => repeated,
    last: () => last,
    read(line: string): void {
      const { event, id, message } = JSON.parse(line) as { event: string; id: string; message: string };
      if (event !== 'message') return;
      if (ids.has(id)) repeated++;
      ids.add(id);
      seen.push(message);
      last = id;
    },
  };
}

/** As ntfy's app for Android: with the last id, as soon as the connection has ended. */
function subscribeAsNtfy(url: string, key: string): Subscriber {
  const reader = createReader();
  const stopping = new AbortController();
  async function follow(): Promise<void> {
    const answer = await fetch(`${url}/inbox/json?since=${reader.last()}`, {
      headers: { authorization: `Bearer ${key}` },
      signal: stopping.signal,
    });
    let rest = '';
    for await (const part of (answer.body as ReadableStream<Uint8Array>).pipeThrough(
      new TextDecoderStream(),
    )) {
      const lines = (rest + part).split('\n');
      rest = lines.pop() ?? '';
      for (const line of lines) reader.read(line);
    }
  }
  const following = (async () => {
    while (!stopping.signal.aborted) {
      await follow().catch(() => {});
      await pause(1);
    }
  })();
  return {
    seen: reader.seen,
    twice: reader.twice,
    async stop() {
      stopping.abort();
      await following;
    },
  };
}

/**
 * ntfy's own command line. It comes back after 10 seconds with what it was first given as `--since`, so a new
 * one with the last id takes its place when its connection is cut.
 */
function subscribeByCommand(path: string, url: string, key: string): Subscriber {
  const reader = createReader();
  let child: ChildProcess | null = null;
  let isStopped = false;
  async function follow(): Promise<void> {
    const args = ['subscribe', '--token', key, '--since', reader.last(), `${url}/inbox`];
    const running = spawn(path, args, {
      env: plainEnvironment(),
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    child = running;
    const ended = once(running, 'close');
    for await (const line of createInterface({ input: running.stdout }))
      // The last line of one that was ended may be cut.
      if (line.endsWith('}')) reader.read(line);
    await ended;
  }
  const following = (async () => {
    while (!isStopped) await follow();
  })();
  return {
    seen: reader.seen,
    twice: reader.twice,
    cut: () => void child?.kill(),
    async stop() {
      isStopped = true;
      child?.kill();
      await following;
    },
  };
}

interface GotifyMessage {
  id: number;
  message: string;
}

/** As Gotify's app for Android: the stream, and by pages what is newer than its last message. */
function subscribeAsGotify(url: string, key: string): Subscriber {
  const seen: string[] = [];
  const ids = new Set<number>();
  let streamedTwice = 0;
  let last = 0;
  let socket: WebSocket | undefined;
  let isStopped = false;

  function add({ id, message }: GotifyMessage): void {
    if (ids.has(id)) return;
    ids.add(id);
    seen.push(message);
    last = Math.max(last, id);
  }
  async function readMissed(from: number): Promise<void> {
    const found: GotifyMessage[] = [];
    for (let since = 0; ;) {
      const answer = await fetch(`${url}/message?limit=200&since=${since}`, {
        headers: { 'x-gotify-key': key },
      });
      const page = (await answer.json()) as {
        messages: GotifyMessage[];
        paging: { since: number; next?: string };
      };
      const newer = page.messages.filter(({ id }) => id > from);
      found.push(...newer);
      if (newer.length < page.messages.length || page.paging.next === undefined) break;
      since = page.paging.since;
    }
    for (const message of found.toReversed()) add(message);
  }
  async function follow(): Promise<void> {
    const from = last;
    const opened = new WebSocket(`${url.replace('http', 'ws')}/stream?token=${key}`);
    socket = opened;
    const streamed = new Set<number>();
    opened.on('message', (data: Buffer) => {
      const message = JSON.parse(data.toString()) as GotifyMessage;
      if (streamed.has(message.id)) streamedTwice++;
      streamed.add(message.id);
      add(message);
    });
    const closed = new Promise((resolve) => opened.once('close', resolve));
    opened.on('error', () => {});
    await new Promise((resolve, reject) => opened.once('open', resolve).once('close', reject));
    await readMissed(from);
    await closed;
  }
  const cut = () => socket?.terminate();
  const following = (async () => {
    while (!isStopped) {
      const before = last;
      // What it could not read to its end is read again.
      await follow().catch(() => (last = before));
      cut();
      await pause(1);
    }
  })();
  return {
    seen,
    twice: () => streamedTwice,
    async stop() {
      isStopped = true;
      cut();
      await following;
    },
  };
}
