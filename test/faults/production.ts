// What the production size is put through while tasks are sent to it: whatever dies or hangs, what was taken
// is there, once.
import { setTimeout as wait } from 'node:timers/promises';
import { afterAll, afterEach, beforeEach, describe, expect, it } from 'vitest';
import { waitFor } from '#test/program/wait.ts';
import { startMongoSet, type MongoSet } from '#test/services/mongo-set.ts';
import { freeze, wake } from '#test/services/signals.ts';
import { compare, startLoad, type Load } from './load.ts';
import { startStack, type Stack } from './stack.ts';

export interface Sizes {
  senders: number;
  /** What each waits after a task was taken. */
  restMs: number;
  /** How long a store or Redis hangs. */
  hangMs: number;
  /** How long a worker hangs. */
  workerHangMs: number;
  /** How long MongoDB waits for a primary before it elects another. */
  electionMs: number;
  timeoutMs: number;
  /** Whether answers and ends have to come in time as well, on a machine that does nothing else. */
  inTime: boolean;
}

const FEW = 40;

/** What a test of this suite has: the production size under load, whole again after each test that passed. */
interface Running {
  readonly stack: Stack;
  readonly mongo: MongoSet;
  readonly load: Load;
  /** Waits until so many more tasks were taken. */
  more(count: number): Promise<unknown>;
  /** How many requests were answered so. */
  count(name: string): number;
  /** Ends the load: everything that was taken is there, once. */
  expectAllOnce(): Promise<void>;
}

async function startAll(
  electionMs: number,
): Promise<{ stack: Stack; mongo: MongoSet } | { missing: string }> {
  const found = await startMongoSet(electionMs);
  if ('missing' in found) return found;
  const stack = await startStack({}, found.set);
  return 'missing' in stack ? stack : { stack, mongo: found.set };
}

function useStack({ senders, restMs, electionMs, timeoutMs }: Sizes): Running {
  /** A test that failed leaves none. */
  let running: { stack: Stack; mongo: MongoSet } | undefined;
  let load: Load;

  beforeEach(async ({ skip }) => {
    const started = running ?? (await startAll(electionMs));
    if ('missing' in started) {
      if (process.env['REQUIRE_SERVICES'] === '1') throw new Error(started.missing);
      return skip(started.missing);
    }
    running = started;
    load = startLoad(started.stack, senders, restMs);
    await more(FEW);
  }, timeoutMs);
  afterEach(async ({ task }) => {
    if (running === undefined || task.result?.state !== 'fail') return;
    load.abandon();
    await running.stack.stop();
    running = undefined;
  });
  afterAll(() => running?.stack.stop());

  const present = () => {
    if (running === undefined) throw new Error('nothing runs');
    return running;
  };
  const more = (count: number) => {
    const wanted = load.taken() + count;
    return waitFor(`${wanted} tasks to be taken`, () => load.taken() >= wanted, timeoutMs);
  };
  return {
    get stack() {
      return present().stack;
    },
    get mongo() {
      return present().mongo;
    },
    get load() {
      return load;
    },
    more,
    count: (name) => load.answers.get(name) ?? 0,
    async expectAllOnce() {
      expect(await compare(present().stack, load, timeoutMs / 3)).toEqual({ missing: 0, doubled: 0 });
    },
  };
}

/** Describes every fault at this size. */
export function describeFaults(sizes: Sizes): void {
  describe('the production size under load', { timeout: sizes.timeoutMs }, () => {
    const running = useStack(sizes);
    describeProcessFaults(sizes, running);
    describeDatabaseFaults(sizes, running);
  });
}

/** A process, Redis, or all of the database. */
function describeProcessFaults({ hangMs, workerHangMs, timeoutMs, inTime }: Sizes, running: Running): void {
  const { more, count, expectAllOnce } = running;

  it('loses and doubles nothing when a worker is killed', async () => {
    const { stack } = running;
    await stack.workers[0]?.kill();
    await more(FEW);
    stack.workers[0] = await stack.startWorker();
    await expectAllOnce();
  });

  it('loses and doubles nothing when an API is killed', async () => {
    const { stack } = running;
    await stack.apis[0]?.kill();
    await more(FEW);
    stack.apis[0] = await stack.startApi();
    await expectAllOnce();
  });

  it('loses and doubles nothing when Redis is killed and comes back', async () => {
    const { stack } = running;
    await stack.redis.kill();
    const before = count('store 201');
    await waitFor('creates to go on without Redis', () => count('store 201') > before + 5, timeoutMs);
    await stack.redis.restart();
    await more(FEW);
    await expectAllOnce();
  });

  it('while the store hangs answers 503 or late, and loses and doubles nothing', async () => {
    const { mongo, load } = running;
    mongo.freezeAll();
    await wait(hangMs);
    mongo.wakeAll();
    await more(FEW);
    await expectAllOnce();
    if (inTime) expect(load.slowestMs()).toBeLessThan(11_000);
    expect(load.always503SaysWhen()).toBe(true);
    if (hangMs > 15_000) expect(count('store 503')).toBeGreaterThan(0);
  });

  it('while Redis hangs goes on reading and creating, refuses what would need the queue, and loses and doubles nothing', async () => {
    const { stack } = running;
    freeze(stack.redis.pid);
    const before = count('store 201');
    const hung = wait(hangMs);
    await waitFor('creates to go on without Redis', () => count('store 201') > before + 5, timeoutMs);
    const list = await fetch(`${stack.apis[1]?.url}/api/v1/tasks?limit=1`, {
      headers: { 'x-api-key': stack.key },
    });
    expect(list.status).toBe(200);
    await hung;
    if (hangMs > 2500) expect(count('queue 503')).toBeGreaterThan(0);
    wake(stack.redis.pid);
    await more(FEW);
    await expectAllOnce();
  });

  it('loses and doubles nothing when a worker hangs and its work is taken over', async () => {
    const { stack } = running;
    freeze(stack.workers[0]?.pid ?? null);
    await wait(workerHangMs);
    await more(FEW);
    wake(stack.workers[0]?.pid ?? null);
    await expectAllOnce();
  });

  it('ends an API and a worker at SIGTERM, cleanly, and loses and doubles nothing', async () => {
    const { stack } = running;
    const [api, worker] = [stack.apis[0], stack.workers[0]];
    const began = performance.now();
    const codes = await Promise.all([api?.stop(), worker?.stop()]);
    expect(codes).toEqual([0, 0]);
    if (inTime) expect(performance.now() - began).toBeLessThan(10_000);
    stack.apis.shift();
    await more(FEW);
    await expectAllOnce();
    stack.apis.unshift(await stack.startApi());
    stack.workers[0] = await stack.startWorker();
  });
}

/** Members of the replica set. */
function describeDatabaseFaults({ hangMs, timeoutMs }: Sizes, running: Running): void {
  const { more, expectAllOnce } = running;

  it('loses and doubles nothing when the primary of MongoDB is killed and comes back', async () => {
    const { mongo } = running;
    const before = await mongo.primary();
    await before.kill();
    expect(await mongo.primary()).not.toBe(before);
    await more(FEW);
    await before.restart();
    await mongo.healed();
    await expectAllOnce();
  });

  it('loses and doubles nothing when the primary steps down', async () => {
    const { mongo } = running;
    const before = await mongo.primary();
    await mongo.stepDown();
    expect(await mongo.primary()).not.toBe(before);
    await more(FEW);
    await expectAllOnce();
  });

  it('loses and doubles nothing when the primary hangs until another is elected, and then goes on', async () => {
    const { mongo } = running;
    const before = await mongo.primary();
    freeze(before.pid);
    await waitFor('another primary', async () => (await mongo.primary()) !== before, timeoutMs);
    await more(FEW);
    wake(before.pid);
    await mongo.healed();
    await wait(hangMs / 10);
    await expectAllOnce();
  });

  it('loses and doubles nothing when a primary comes back with writes that no other member has', async () => {
    const { mongo, load } = running;
    const before = await mongo.primary();
    const others = mongo.members.filter((member) => member !== before);
    await Promise.all(others.map((member) => member.kill()));
    // On its disk, as are the submissions that it gets meanwhile and does not acknowledge.
    await mongo.writeAlone(before, 'lost');
    await before.kill();
    await Promise.all(others.map((member) => member.restart()));
    expect(await mongo.primary()).not.toBe(before);
    await more(FEW);
    await before.restart();
    await mongo.healed();
    // While it rolls back it answers nothing.
    const isRolledBack = () =>
      mongo.hasAlone(before, 'lost').then(
        (has) => !has,
        () => false,
      );
    await waitFor('the rollback', isRolledBack, timeoutMs);
    await expectAllOnce();
    expect(load.always503SaysWhen()).toBe(true);
  });
}
