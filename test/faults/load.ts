// Senders that never give up: each task has a content of its own and an Idempotency-Key, and is sent again,
// to whichever API answers, until it was taken. Half of them go straight to the store, half through the
// queue.
import { Agent } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import { send } from '#test/durability/writers.ts';
import { waitFor } from '#test/program/wait.ts';
import type { Stack } from './stack.ts';

export interface Load {
  /** What the content of each of its tasks begins with. */
  readonly prefix: string;
  /** What became of the requests so far, by status; `none` when the connection ended without an answer. */
  readonly answers: ReadonlyMap<string, number>;
  /** The longest that an answer took, in milliseconds. */
  slowestMs(): number;
  /** Whether every 503 said when to try again. */
  always503SaysWhen(): boolean;
  taken(): number;
  /** Stops making new tasks, and resolves when every one that was begun is taken. */
  finish(): Promise<void>;
  /** Sends nothing any more. */
  abandon(): void;
}

const PAUSE_MS = 50;
let loads = 0;

/** `restMs`: what each sender waits after a task was taken. */
export function startLoad(stack: Stack, senders: number, restMs = 0): Load {
  const prefix = `load-${++loads}-`;
  const answers = new Map<string, number>();
  const taken = new Set<string>();
  const agent = new Agent({ keepAlive: true });
  let begun = 0;
  let ending = false;
  let abandoned = false;
  let slowest = 0;
  let saysWhen = true;

  async function deliver(marker: string, viaQueue: boolean): Promise<void> {
    for (let attempt = 0; !abandoned; attempt++) {
      const api = stack.apis[attempt % stack.apis.length] as Stack['apis'][number];
      const headers = {
        'x-api-key': stack.key,
        'content-type': 'application/json',
        'idempotency-key': marker,
        ...(viaQueue ? { prefer: 'respond-async' } : {}),
      };
      const start = performance.now();
      const answer = await send(
        agent,
        api.port,
        'POST',
        '/tasks',
        headers,
        JSON.stringify({ content: marker }),
      );
      slowest = Math.max(slowest, performance.now() - start);
      const status = answer === null ? 'none' : String(answer.status);
      answers.set(
        `${viaQueue ? 'queue' : 'store'} ${status}`,
        (answers.get(`${viaQueue ? 'queue' : 'store'} ${status}`) ?? 0) + 1,
      );
      if (status === '201' || status === '202') return void taken.add(marker);
      if (status === '503' && !/"code":"SERVICE_UNAVAILABLE"/.test(answer?.body ?? '')) saysWhen = false;
      if (!['none', '409', '503'].includes(status))
        throw new Error(`${marker} was answered ${status}: ${answer?.body}`);
      await pause(PAUSE_MS);
    }
  }

  async function sender(): Promise<void> {
    while (!ending) {
      const number = ++begun;
      await deliver(`${prefix}${number}-end`, number % 2 === 0);
      if (restMs > 0) await pause(restMs);
    }
  }

  const running = Promise.all(Array.from({ length: senders }, sender));
  return {
    prefix,
    answers,
    slowestMs: () => slowest,
    always503SaysWhen: () => saysWhen,
    taken: () => taken.size,
    async finish() {
      ending = true;
      await running;
      agent.destroy();
      if (taken.size !== begun) throw new Error(`${begun - taken.size} of ${begun} were never taken`);
    },
    abandon() {
      ending = abandoned = true;
    },
  };
}

/** Every content of the load in the queue, as the API lists it. */
async function listAll(stack: Stack, { prefix }: Load): Promise<string[]> {
  const contents: string[] = [];
  for (;;) {
    const url = `${stack.apis[0]?.url}/api/v1/tasks?limit=1000&offset=${contents.length}`;
    const response = await fetch(url, { headers: { 'x-api-key': stack.key } });
    if (!response.ok) throw new Error(`the list was answered ${response.status}`);
    const { tasks } = (await response.json()) as { tasks: { content: string }[] };
    contents.push(...tasks.map(({ content }) => content));
    if (tasks.length === 0) return contents.filter((content) => content.startsWith(prefix));
  }
}

/**
 * Resolves with what is missing and what is doubled, once as many tasks are there as were taken, or time is
 * up.
 */
export async function compare(
  stack: Stack,
  load: Load,
  timeoutMs: number,
): Promise<{ missing: number; doubled: number }> {
  await load.finish();
  let contents: string[] = [];
  await waitFor(
    `${load.taken()} tasks to be listed`,
    async () => {
      contents = await listAll(stack, load).catch(() => contents);
      return new Set(contents).size >= load.taken();
    },
    timeoutMs,
  ).catch(() => false);
  // A task that arrives between two pages of a list moves others from one to the next; now nothing arrives
  // any more.
  contents = await listAll(stack, load).catch(() => contents);
  const distinct = new Set(contents);
  return { missing: load.taken() - distinct.size, doubled: contents.length - distinct.size };
}
