// A Redis that is full, and passwords that are not right any more, under the load of the real program: prints
// what clients saw. Whatever was acknowledged is there, once.
import { setTimeout as wait } from 'node:timers/promises';
import { Redis } from 'ioredis';
import { describe, expect, it, onTestFinished } from 'vitest';
import { waitFor } from '#test/program/wait.ts';
import { PASSWORD, startWithPassword } from '#test/services/mongo-password.ts';
import { compare, startLoad, type Load } from './load.ts';
import { startStack, type Stack } from './stack.ts';

const OUTAGE_MS = Number(process.env['OUTAGE_SECONDS'] ?? 15) * 1000;
const TIMEOUT_MS = 600_000;
const WHOLE = { missing: 0, doubled: 0 };
const MIB = 2 ** 20;
const OTHER = 'another';

async function startAll(mongo?: Parameters<typeof startStack>[1]): Promise<{ stack: Stack; load: Load }> {
  const stack = await startStack({}, mongo);
  if ('missing' in stack) throw new Error(stack.missing);
  onTestFinished(() => stack.stop());
  const load = startLoad(stack, 16);
  await waitFor('some tasks to be taken', () => load.taken() > 100);
  return { stack, load };
}

function connect({ redis }: Stack): Redis {
  const client = new Redis(redis.url);
  onTestFinished(() => client.disconnect());
  return client;
}

/** The parts that do not answer, by what `/ready` says of them. */
async function notReady(url: string | undefined): Promise<string[]> {
  const answer = await fetch(`${url}/ready`);
  const { parts } = (await answer.json()) as { parts: { ok: boolean; detail?: string }[] };
  return parts.flatMap(({ ok, detail }) => (ok ? [] : [detail ?? '']));
}

/** Prints what clients saw, and answers what became of what was acknowledged. */
async function tell(name: string, stack: Stack, load: Load, ready: string[]) {
  const fates = await compare(stack, load, TIMEOUT_MS / 3);
  const answers = [...load.answers].toSorted().map(([answer, count]) => `${answer}: ${count}`);
  process.stdout.write(
    `${name}: ${answers.join(', ')}; slowest ${Math.round(load.slowestMs())} ms; /ready: ${ready.join('; ')}; ` +
      `${load.taken()} acknowledged, ${fates.missing} missing, ${fates.doubled} doubled\n`,
  );
  return fates;
}

/** How often an answer was given during the outage. */
function during(load: Load, before: ReadonlyMap<string, number>, answer: string): number {
  return (load.answers.get(answer) ?? 0) - (before.get(answer) ?? 0);
}

/** The answers to ten tasks that are to be stored at once: each of them, once. */
async function createTen({ apis, key }: Stack): Promise<number[]> {
  const answers = Array.from({ length: 10 }, () =>
    fetch(`${apis[0]?.url}/api/v1/tasks`, {
      method: 'POST',
      headers: { 'x-api-key': key },
      body: 'meanwhile',
    }),
  );
  return [...new Set((await Promise.all(answers)).map(({ status }) => status))];
}

interface Outage {
  begin(client: Redis): Promise<void>;
  end(client: Redis): Promise<unknown>;
}

/** An outage of the queue alone: answers what `/ready` says during it and after it. */
async function withoutQueue(name: string, { begin, end }: Outage) {
  const { stack, load } = await startAll();
  const client = connect(stack);
  const before = new Map(load.answers);
  await begin(client);
  await wait(OUTAGE_MS);
  const ready = await notReady(stack.apis[0]?.url);
  const refused = during(load, before, 'queue 503');
  expect(await createTen(stack)).toEqual([201]);
  await end(client);
  const taken = load.answers.get('queue 202') ?? 0;
  await waitFor('the queue to take again', () => (load.answers.get('queue 202') ?? 0) > taken + 50);
  expect(await tell(name, stack, load, ready)).toEqual(WHOLE);
  expect(load.always503SaysWhen()).toBe(true);
  expect(refused).toBeGreaterThan(20);
  expect(load.answers.get('store 503') ?? 0).toBe(0);
  return { during: ready, after: await notReady(stack.apis[0]?.url) };
}

describe('under load', { timeout: TIMEOUT_MS }, () => {
  it('a full Redis refuses what would wait in it; what is stored at once goes on', async () => {
    const ready = await withoutQueue('full Redis', {
      async begin(client) {
        const used = Number(/used_memory:(\d+)/.exec(await client.info('memory'))?.[1]);
        await client.config('SET', 'maxmemory', used + 4 * MIB);
        // Something else fills it to the brim.
        for (let part = 0; ; part++) {
          const filled = await client.set(`else:${part}`, 'x'.repeat(10_000)).catch(() => null);
          if (filled === null) break;
        }
      },
      end: (client) => client.config('SET', 'maxmemory', 0),
    });
    expect(ready.during.join()).toContain('Redis is full');
  });

  it('a Redis whose password was changed refuses what needs the queue; what is stored at once goes on', async () => {
    const ready = await withoutQueue('the password of Redis changed', {
      async begin(client) {
        await client.config('SET', 'requirepass', OTHER);
        await client.call('CLIENT', 'KILL', 'TYPE', 'pubsub');
        await client.call('CLIENT', 'KILL', 'TYPE', 'normal', 'SKIPME', 'yes');
      },
      end: (client) => client.config('SET', 'requirepass', ''),
    });
    expect(ready.during.join()).toContain('Redis says NOAUTH');
    expect(ready.after).toEqual([]);
  });

  it('a MongoDB whose password was changed is as one that is away, until the password is right again', async () => {
    const mongo = await startWithPassword();
    const { stack, load } = await startAll(mongo);
    await mongo.setPassword(OTHER);
    // Connections that are open stay in.
    await mongo.kill();
    await mongo.restart();
    const before = new Map(load.answers);
    await wait(OUTAGE_MS);
    const ready = await notReady(stack.apis[0]?.url);
    const [stored, refused] = [during(load, before, 'store 201'), during(load, before, 'store 503')];
    await mongo.setPassword(PASSWORD);
    const taken = load.taken();
    await waitFor('tasks to be taken again', () => load.taken() > taken + 100);
    expect(await tell('the password of MongoDB changed', stack, load, ready)).toEqual(WHOLE);
    expect(load.always503SaysWhen()).toBe(true);
    expect(ready.join()).toContain('AuthenticationFailed');
    expect(stored).toBe(0);
    expect(refused).toBeGreaterThan(20);
  });
});
