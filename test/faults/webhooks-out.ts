// What webhooks are told while the program that tells them is killed: tasks that are made, acknowledged,
// restored and acknowledged again, and receivers that take, lie, die and hang.
import { join } from 'node:path';
import { createReceiversAt, type Told } from './webhook-receivers.ts';
import { startStack } from './stack.ts';
import { createSignInLink, startProgram, temporaryFolder, type Program } from '#test/program/program.ts';
import { waitFor } from '#test/program/wait.ts';

/** The versions that each task comes to have. */
const VERSIONS = [1, 2, 3, 4];
const PER_BATCH = 100;

export interface Stage {
  /** Where calls go. */
  url(): string;
  /** Where Slack sends to, if it was asked for. */
  slackUrl(): string;
  /** Signs a user in; answers a call that is tried until it is answered. */
  link(): string;
  /** Kills what sends, and starts it again. */
  kill(): Promise<void>;
  stop(): Promise<void>;
}

const ENV = {
  OUTGOING_ALLOW: '127.0.0.1',
  WEBHOOK_HTTP: 'true',
  RATE_LIMIT_SESSION_PER_MINUTE: '1000000',
  MAX_TASKS_PER_OWNER: '1000000',
  LOG_LEVEL: 'error',
};

/** The embedded size: one program, which makes and sends. */
export async function startEmbedded(more: Record<string, string> = {}): Promise<Stage> {
  const env = { ...ENV, ...more };
  const folder = temporaryFolder('webhooks');
  const dataDir = join(folder.path, 'data');
  let program: Program = await startProgram({ dataDir, env });
  const { url, port } = program;
  return {
    url: () => url,
    slackUrl: () => url,
    link: () => createSignInLink(dataDir, url),
    async kill() {
      await program.kill();
      program = await startProgram({ dataDir, env, port });
    },
    async stop() {
      await program.kill();
      folder.remove();
    },
  };
}

/** The production size: the workers send, and are killed one after the other. */
export async function startProduction(
  more: Record<string, string> = {},
): Promise<Stage | { missing: string }> {
  const stack = await startStack({ ...ENV, ...more });
  if ('missing' in stack) return stack;
  const workers = [...stack.workers];
  const slack = more['SLACK_BOT_TOKEN'] === undefined ? null : await stack.startSlack();
  return {
    url: () => stack.apis[0]?.url ?? '',
    slackUrl: () => slack?.url ?? '',
    link: () => {
      const printed = stack.qinbox('signin-link', '--email', 'me@example.com', '--json');
      return (JSON.parse(printed) as { url: string }).url;
    },
    async kill() {
      await workers.shift()?.kill();
      workers.push(await stack.startWorker());
    },
    stop: () => stack.stop(),
  };
}

export type Call = (method: string, path: string, body?: object) => Promise<Record<string, unknown>>;

/** A signed-in user, whose calls are made again until they are answered. */
export async function signInAt(stage: Stage): Promise<Call> {
  let token = '';
  let signedInAt = -Infinity;

  async function request(method: string, path: string, body?: object, key?: string) {
    const answer = await fetch(`${stage.url()}/api/v1${path}`, {
      method,
      headers: {
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...(key === undefined ? {} : { 'idempotency-key': key }),
        authorization: `Bearer ${token}`,
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      signal: AbortSignal.timeout(30_000),
    });
    if (answer.status >= 500 || answer.status === 409) return null;
    if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${await answer.text()}`);
    return (await answer.json()) as Record<string, unknown>;
  }
  async function signIn(): Promise<void> {
    // Access tokens last 15 minutes.
    if (performance.now() - signedInAt < 600_000) return;
    const link = new URL(stage.link());
    const signin = new URLSearchParams(link.hash.slice(1)).get('signin') ?? '';
    const signed = await request('POST', '/auth/link', { token: signin });
    if (signed === null) throw new Error('the link was not taken');
    token = (signed['tokens'] as { accessToken: string }).accessToken;
    signedInAt = performance.now();
  }
  let calls = 0;
  return async (method, path, body) => {
    await signIn();
    const key = path === '/tasks/batch' ? `batch-${++calls}` : undefined;
    return waitFor(`${method} ${path}`, () =>
      request(method, path, body, key).catch((error: unknown) => {
        // The program is not there right now.
        if (error instanceof TypeError || (error as Error).name === 'TimeoutError') return null;
        throw error;
      }),
    );
  };
}

/** What came of it. */
export interface Fates {
  tasks: number;
  events: number;
  /** By receiver. */
  told: Told[];
  kills: number;
  seconds: number;
}

/** Makes so many events, four of each task, and kills what sends so many times meanwhile. */
export async function tellUnderKills(stage: Stage, events: number, kills: number): Promise<Fates> {
  const began = performance.now();
  const receivers = await createReceiversAt();
  try {
    const call = await signInAt(stage);
    for (const { name, url } of receivers.all)
      await call('POST', '/webhooks', {
        name,
        url,
        events: ['task.created', 'task.updated', 'task.acknowledged', 'task.expired'],
      });
    const ids: string[] = [];
    const load = makeTasks(call, events / VERSIONS.length, ids);
    let killed = 0;
    for (; killed < kills; killed++) {
      // Somewhere in the middle of what is sent.
      const came = receivers.all[0]?.received() ?? 0;
      await waitFor('more messages', () => (receivers.all[0]?.received() ?? 0) > came + 20);
      await stage.kill();
    }
    await load;
    receivers.release();
    await waitFor(
      'every message',
      () => receivers.all.every((one) => one.distinct() === ids.length * VERSIONS.length),
      Math.max(300_000, events * 60),
    ).catch(() => null);
    const told = receivers.all.map((one) => one.outcome(ids, VERSIONS));
    const seconds = Math.round((performance.now() - began) / 1000);
    return { tasks: ids.length, events: ids.length * VERSIONS.length, told, kills: killed, seconds };
  } finally {
    await receivers.close();
  }
}

/** Makes tasks in batches; `ids` are those of them. */
async function makeTasks(call: Call, many: number, ids: string[]): Promise<void> {
  for (let from = 0; from < many; from += PER_BATCH) {
    const count = Math.min(PER_BATCH, many - from);
    const tasks = Array.from({ length: count }, (_, n) => ({ content: `task ${from + n}` }));
    const made = await call('POST', '/tasks/batch', { tasks });
    const batch = (made['tasks'] as { id: string }[]).map(({ id }) => id);
    ids.push(...batch);
    await call('POST', '/tasks/acknowledge', { ids: batch });
    await call('POST', '/tasks/restore', { ids: batch });
    await call('POST', '/tasks/acknowledge', { ids: batch });
  }
}

/** The line that a long run prints. */
export function describeFates({ tasks, events, told, kills, seconds }: Fates): string {
  const lines = told.map(
    ({ name, messages, lost, doubled, outOfOrder }) =>
      `  ${name}: ${messages} messages, ${lost.length} lost, ${doubled} doubled, ${outOfOrder.length} out of order`,
  );
  return [`${events} events of ${tasks} tasks, ${kills} kills, in ${seconds} s`, ...lines, ''].join('\n');
}
