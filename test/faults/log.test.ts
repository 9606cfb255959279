// What an operator reads in the log of an outage: a line when it begins and one when it is over, of each
// process, however many calls fail meanwhile.
import { setTimeout as wait } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { Program } from '#test/program/program.ts';
import { waitFor } from '#test/program/wait.ts';
import { startMongo } from '#test/services/mongodb.ts';
import type { Service } from '#test/services/service.ts';
import { startLoad } from './load.ts';
import { startStack, type Stack } from './stack.ts';

const PATIENCE_MS = 300_000;
const OUTAGE_MS = 8000;

interface Line {
  level: number;
  msg: string;
  role: string;
  instance: string;
  part?: string;
  cause?: string;
  failures?: number;
  seconds?: number;
}

/** The entries of a process's log after its first `from` characters. */
function linesOf(program: Program | undefined, from = 0): Line[] {
  return (program?.output() ?? '')
    .slice(from)
    .split('\n')
    .filter((line) => line.startsWith('{'))
    .map((line) => JSON.parse(line) as Line);
}

const WARN = 40;

/** What `/ready` says of each part that does not answer. */
async function detailsOf(program: Program | undefined): Promise<Record<string, string | undefined>> {
  const { parts } = (await (await fetch(`${program?.url}/ready`)).json()) as {
    parts: { name: string; detail?: string }[];
  };
  return Object.fromEntries(parts.map(({ name, detail }) => [name, detail]));
}

describe('the log of an outage', { timeout: 3 * PATIENCE_MS }, () => {
  let stack: Stack | undefined;
  let mongo: Service;
  let missing = '';
  beforeAll(async () => {
    const found = await startMongo();
    if ('service' in found) mongo = found.service;
    const started = 'missing' in found ? found : await startStack({ LOG_LEVEL: 'info' }, found.service);
    if ('missing' in started) missing = started.missing;
    else stack = started;
  });
  afterAll(() => stack?.stop());

  afterEach(({ task }) => {
    if (task.result?.state === 'fail')
      for (const each of [...(stack?.apis ?? []), ...(stack?.workers ?? [])])
        process.stderr.write(`${each.output().slice(0, 6000)}\n----\n`);
  });

  const existing = (skip: (why: string) => never): Stack => {
    if (stack !== undefined) return stack;
    if (process.env['REQUIRE_SERVICES'] === '1') throw new Error(missing);
    return skip(missing);
  };

  it('comes from processes that the overview of administrators lists, with the sum of their figures', async ({
    skip,
  }) => {
    const { apis, workers, qinbox } = existing(skip);
    qinbox('user', 'add', 'admin@example.com', '--admin');
    const link = JSON.parse(qinbox('signin-link', '--email', 'admin@example.com', '--json')) as {
      url: string;
    };
    const token = new URL(link.url, 'http://localhost').hash.split('=')[1];
    const api = `${apis[0]?.url}/api/v1`;
    const signedIn = await fetch(`${api}/auth/link`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ token }),
    });
    const { tokens } = (await signedIn.json()) as { tokens: { accessToken: string } };
    const headers = { authorization: `Bearer ${tokens.accessToken}` };
    interface Shown {
      processes: { role: string; instance: string; tasksCreated: { lastHour: number } }[];
      tasksCreated: { lastHour: number };
    }
    const overview = async () =>
      ((await (await fetch(`${api}/admin/overview`, { headers })).json()) as { overview: Shown }).overview;
    const load = startLoad(existing(skip), 4);
    await waitFor('some to be taken', () => load.taken() > 20, PATIENCE_MS);
    await load.finish();
    const count = load.taken();
    await waitFor(
      'all to be counted',
      async () => (await overview()).tasksCreated.lastHour >= count,
      PATIENCE_MS,
    );
    const { processes, tasksCreated } = await overview();
    expect(processes.map(({ role }) => role).toSorted()).toEqual(['api', 'api', 'worker', 'worker']);
    for (const { pid } of [...apis, ...workers])
      expect(processes.some(({ instance }) => instance.endsWith(`-${pid}`))).toBe(true);
    // What went through the queue was made by a worker, and is in the figures that an API shows.
    expect(tasksCreated.lastHour).toBe(count);
    expect(processes.some(({ role, tasksCreated: own }) => role === 'worker' && own.lastHour > 0)).toBe(true);
  });

  it('has a line for its begin and one for its end while MongoDB is away under load, and says who and why', async ({
    skip,
  }) => {
    const { apis, workers } = existing(skip);
    const load = startLoad(existing(skip), 8);
    await waitFor('some to be taken', () => load.taken() > 20, PATIENCE_MS);
    const from = new Map([...apis, ...workers].map((each) => [each, each.output().length]));
    await mongo.kill();
    const refused = () => load.answers.get('store 503') ?? 0;
    await waitFor('many calls to fail', () => refused() >= 30, PATIENCE_MS);
    await waitFor('/ready to say why', async () => {
      const { store } = await detailsOf(apis[0]);
      return store === 'no answer from the store: the connection was refused (ECONNREFUSED)';
    });
    await mongo.restart();
    const told = (each: Program, msg: string) =>
      linesOf(each, from.get(each)).filter((line) => line.part === 'store' && line.msg === msg);
    await waitFor(
      'the log to tell that it is over',
      () => apis.every((each) => told(each, 'the store answers again').length > 0),
      PATIENCE_MS,
    );
    await load.finish();
    for (const api of apis) {
      const began = told(api, 'the store does not answer');
      const over = told(api, 'the store answers again');
      expect([began.length, over.length]).toEqual([1, 1]);
      expect(began[0]).toMatchObject({ role: 'api', instance: expect.stringMatching(/-\d+$/) });
      expect(over[0]?.failures).toBeGreaterThan(5);
      expect(over[0]?.seconds).toBeGreaterThan(1);
    }
    for (const each of [...apis, ...workers]) {
      const loud = linesOf(each, from.get(each)).filter(({ level }) => level >= WARN);
      expect(loud.map(({ msg }) => msg).length, loud.map(({ msg }) => msg).join('\n')).toBeLessThanOrEqual(4);
    }
  });

  it('has a few lines while Redis is away under load, however long', async ({ skip }) => {
    const { apis, workers, redis } = existing(skip);
    const load = startLoad(existing(skip), 8);
    await waitFor('some to be taken', () => load.taken() > 20, PATIENCE_MS);
    const from = new Map([...apis, ...workers].map((each) => [each, each.output().length]));
    await redis.kill();
    await wait(OUTAGE_MS);
    const details = await detailsOf(apis[0]);
    expect(details['queue']).toContain('the connection was refused (ECONNREFUSED)');
    expect(details['events']).toContain('the connection was refused (ECONNREFUSED)');
    await redis.restart();
    const told = (each: Program) =>
      linesOf(each, from.get(each)).filter(({ msg }) => msg === 'the queue answers again');
    await waitFor(
      'the log to tell that it is over',
      () => apis.every((each) => told(each).length === 1),
      PATIENCE_MS,
    );
    await load.finish();
    for (const each of [...apis, ...workers]) {
      const loud = linesOf(each, from.get(each)).filter(({ level }) => level >= WARN);
      const texts = loud.map(({ msg }) => msg);
      // Each that notices it: the bus, the limiter, the queue, its worker and its calls.
      expect(texts.length, texts.join('\n')).toBeLessThanOrEqual(10);
    }
  });
});
