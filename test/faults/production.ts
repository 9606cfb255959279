// What the production size is put through while tasks are sent to it: whatever dies or hangs, what was taken
// is there, once.
import { setTimeout as wait } from 'node:timers/promises';
import { afterAll, afterEach, beforeEach, describe, expect, it } from 'vitest';
import { waitFor } from '#test/program/wait.ts';
import { compare, startLoad, type Load } from './load.ts';
import { freeze, startStack, wake, type Stack } from './stack.ts';

export interface Sizes {
  senders: number;
  /** How long a store or Redis hangs. */
  hangMs: number;
  /** How long a worker hangs. */
  workerHangMs: number;
  timeoutMs: number;
  /** Whether answers and ends have to come in time as well, on a machine that does nothing else. */
  inTime: boolean;
}

const FEW = 40;

/** Describes every fault at this size. */
export function describeFaults({ senders, hangMs, workerHangMs, timeoutMs, inTime }: Sizes): void {
  describe('the production size under load', { timeout: timeoutMs }, () => {
    /** A test leaves it whole; one that failed leaves none. */
    let running: Stack | undefined;
    let stack: Stack;
    let load: Load;

    beforeEach(async ({ skip }) => {
      const started = running ?? (await startStack());
      if ('missing' in started) {
        if (process.env['REQUIRE_SERVICES'] === '1') throw new Error(started.missing);
        return skip(started.missing);
      }
      running = stack = started;
      load = startLoad(stack, senders);
      await more(FEW);
    }, timeoutMs);
    afterEach(async ({ task }) => {
      if (running === undefined || task.result?.state !== 'fail') return;
      load.abandon();
      await running.stop();
      running = undefined;
    });
    afterAll(() => running?.stop());

    /** Waits until so many more tasks were taken. */
    const more = (count: number) => {
      const wanted = load.taken() + count;
      return waitFor(`${wanted} tasks to be taken`, () => load.taken() >= wanted, timeoutMs);
    };
    const count = (name: string) => load.answers.get(name) ?? 0;
    const expectAllOnce = async () => {
      expect(await compare(stack, load, timeoutMs / 3)).toEqual({ missing: 0, doubled: 0 });
    };

    it('loses and doubles nothing when a worker is killed', async () => {
      await stack.workers[0]?.kill();
      await more(FEW);
      stack.workers[0] = await stack.startWorker();
      await expectAllOnce();
    });

    it('loses and doubles nothing when an API is killed', async () => {
      await stack.apis[0]?.kill();
      await more(FEW);
      stack.apis[0] = await stack.startApi();
      await expectAllOnce();
    });

    it('loses and doubles nothing when Redis is killed and comes back', async () => {
      await stack.redis.kill();
      const before = count('store 201');
      await waitFor('creates to go on without Redis', () => count('store 201') > before + 5, timeoutMs);
      await stack.redis.restart();
      await more(FEW);
      await expectAllOnce();
    });

    it('while the store hangs answers 503 or late, and loses and doubles nothing', async () => {
      freeze(stack.mongo.pid);
      await wait(hangMs);
      wake(stack.mongo.pid);
      await more(FEW);
      await expectAllOnce();
      if (inTime) expect(load.slowestMs()).toBeLessThan(11_000);
      expect(load.always503SaysWhen()).toBe(true);
      if (hangMs > 15_000) expect(count('store 503')).toBeGreaterThan(0);
    });

    it('while Redis hangs goes on reading and creating, refuses what would need the queue, and loses and doubles nothing', async () => {
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
      freeze(stack.workers[0]?.pid ?? null);
      await wait(workerHangMs);
      await more(FEW);
      wake(stack.workers[0]?.pid ?? null);
      await expectAllOnce();
    });

    it('ends an API and a worker at SIGTERM, cleanly, and loses and doubles nothing', async () => {
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
  });
}
