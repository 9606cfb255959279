import { describe, expect, it, vi } from 'vitest';
import { createSearches } from './searches.ts';

const limits = { perOwner: 3, inFlight: 2, inAll: 5, timeMs: 1000 };

/** Work that is held until it is let go, and notes when it begins. */
function held(begun: string[], name: string) {
  const gate = Promise.withResolvers<string>();
  return {
    work(signal: AbortSignal): Promise<string> {
      begun.push(name);
      signal.addEventListener('abort', () => gate.reject(signal.reason as Error));
      return gate.promise;
    },
    end: () => gate.resolve(name),
  };
}

const told = (refusal: unknown) => refusal;

/** Lets everybody begin whose turn it is. */
const finish = () => new Promise((resolve) => setImmediate(resolve));

describe('searches', () => {
  it('has one of each owner under way and some over all, and lets the next begin in the order of asking', async () => {
    const searches = createSearches(limits);
    const begun: string[] = [];
    const works = ['a1', 'a2', 'b1', 'c1'].map((name) => ({ name, ...held(begun, name) }));
    const answers = works.map(({ name, work }) => searches.run(name.charAt(0), work));
    await finish();
    expect(begun).toEqual(['a1', 'b1']);
    works[0]?.end();
    expect(await answers[0]).toBe('a1');
    await finish();
    expect(begun).toEqual(['a1', 'b1', 'a2']);
    works[2]?.end();
    expect(await answers[2]).toBe('b1');
    await finish();
    expect(begun).toEqual(['a1', 'b1', 'a2', 'c1']);
    works[1]?.end();
    works[3]?.end();
    expect(await Promise.all(answers)).toEqual(['a1', 'a2', 'b1', 'c1']);
  });

  it('refuses an owner who has too many with 429, and everybody with 503 when all together have', async () => {
    const searches = createSearches(limits);
    const { work, end } = held([], 'x');
    const under = ['a', 'a', 'a', 'b', 'c'].map((owner) => searches.run(owner, work));
    await expect(searches.run('a', work)).rejects.toMatchObject({
      code: 'RATE_LIMITED',
      message: expect.stringContaining('searches') as string,
      retryAfterSeconds: 1,
    });
    await expect(searches.run('d', work)).rejects.toMatchObject({
      code: 'SERVICE_UNAVAILABLE',
      retryAfterSeconds: 2,
    });
    end();
    await Promise.all(under);
    expect(await searches.run('a', () => Promise.resolve('again'))).toBe('again');
  });

  it('ends what takes too long, waiting or under way, and gives its place to others', async () => {
    // Those of the test's own, not those of what runs it.
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    try {
      const searches = createSearches(limits);
      const begun: string[] = [];
      const refused = {
        code: 'SERVICE_UNAVAILABLE',
        message: expect.stringContaining('1 seconds') as string,
      };
      const first = searches.run('a', held(begun, '1').work).catch(told);
      const other = held(begun, '2');
      const stays = searches.run('b', () => other.work(new AbortController().signal));
      await vi.advanceTimersByTimeAsync(500);
      const waits = searches.run('b', held(begun, '3').work).catch(told);
      await vi.advanceTimersByTimeAsync(500);
      expect(await first).toMatchObject(refused);
      const free = await searches.run('a', (signal) => Promise.resolve(signal));
      await vi.advanceTimersByTimeAsync(500);
      expect(await waits).toMatchObject(refused);
      expect(begun).toEqual(['1', '2']);
      other.end();
      expect(await stays).toBe('2');
      // The clock of what has ended is stopped. (`getTimerCount` would count timers of what runs the test.)
      await vi.advanceTimersByTimeAsync(limits.timeMs);
      expect(free.aborted).toBe(false);
    } finally {
      vi.useRealTimers();
    }
  });

  it('ends what nobody waits for any more, and never begins it when it has not', async () => {
    const searches = createSearches(limits);
    const begun: string[] = [];
    const callers = [new AbortController(), new AbortController(), new AbortController()];
    const gone = callers.map(({ signal }, index) =>
      expect(searches.run('a', held(begun, String(index)).work, signal)).rejects.toMatchObject({
        code: 'REQUEST_TIMEOUT',
      }),
    );
    await finish();
    callers.toReversed().forEach((caller) => caller.abort());
    await Promise.all(gone);
    expect(begun).toEqual(['0']);
    const before = AbortSignal.abort();
    await expect(searches.run('a', held(begun, 'late').work, before)).rejects.toMatchObject({
      code: 'REQUEST_TIMEOUT',
    });
    expect(begun).toEqual(['0']);
    expect(await searches.run('a', () => Promise.resolve('free'))).toBe('free');
  });

  it('gives the place of one that failed to the next', async () => {
    const searches = createSearches(limits);
    await expect(searches.run('a', () => Promise.reject(new Error('disk')))).rejects.toThrow('disk');
    expect(await searches.run('a', () => Promise.resolve(1))).toBe(1);
  });
});
