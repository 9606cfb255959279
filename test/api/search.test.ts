// Searches over the running API: bounded for each owner, given up when the caller hangs up, and beside
// everybody else.
import { request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, it } from 'vitest';
import { insertOf } from '#test/helpers/records.ts';
import { createTestApp, type TestApp } from '#test/helpers/app.ts';
import { SEARCH_LIMITS } from '#core/services/searches.ts';
import { waitFor } from '#test/program/wait.ts';
import { submissionOf } from '#test/helpers/submissions.ts';

const ATTEMPTS = 5;
const LONG = 'lorem ipsum dolor sit amet '.repeat(370);

/** Large tasks, enough that a search of them takes many slices. */
async function longQueue({ parts, clock, user }: TestApp, email: string): Promise<void> {
  const { id } = await user(email);
  for (let done = 0; done < 3000; done += 500)
    await parts.storage.tasks.create(
      submissionOf({
        ownerId: id,
        inserts: Array.from({ length: 500 }, () => insertOf({ content: LONG })),
        at: clock.now(),
      }),
    );
}

/** Begins a search over a socket of its own; answers its status, or null when it was hung up. */
function search(port: number, key: string, text: string) {
  const answer = Promise.withResolvers<number | null>();
  const asked = request(
    { host: '127.0.0.1', port, path: `/api/v1/tasks?q=${text}`, headers: { 'x-api-key': key } },
    (response) => {
      response.resume();
      response.on('end', () => answer.resolve(response.statusCode ?? null));
    },
  );
  asked.on('error', () => answer.resolve(null));
  asked.end();
  return { status: answer.promise, hangUp: () => asked.destroy() };
}

describe('searches', () => {
  it('are refused with 429, a sentence and Retry-After over the bound of one owner, while others are served', async () => {
    const test = await createTestApp();
    await longQueue(test, 'many@example.com');
    const key = await test.key('many@example.com');
    const other = await test.key('other@example.com');
    const paths = ['/tasks?q=nothing', '/tasks?order=tag', '/tasks/facets', '/tasks?intake=none'];
    async function searchBesideOthers() {
      const asked = Array.from({ length: SEARCH_LIMITS.perOwner + 3 }, (_, index) =>
        test.call('GET', paths[index % paths.length] ?? '', { key }),
      );
      const ended: string[] = [];
      const all = Promise.all(asked).then((answers) => (ended.push('searches'), answers));
      await test.call('POST', '/tasks', { key: other, body: { content: 'mine', dedupeKey: 'mine' } });
      const [mine, listed] = await Promise.all([
        test.call('GET', '/tasks?q=MINE', { key: other }),
        test.call('GET', '/tasks', { key }),
      ]);
      ended.push('others');
      expect(mine.body).toMatchObject({ pagination: { total: 1 } });
      expect(listed.status).toBe(200);
      return { answers: await all, ended };
    }
    let { answers, ended } = await searchBesideOthers();
    // A busy disk may hold up the others, which searches do not need.
    for (let attempt = 1; attempt < ATTEMPTS && ended[0] !== 'others'; attempt++)
      ({ answers, ended } = await searchBesideOthers());
    expect(ended).toEqual(['others', 'searches']);
    const refused = answers.filter(({ status }) => status !== 200);
    expect(refused.map(({ status }) => status)).toEqual([429, 429, 429]);
    expect(refused[0]?.headers['retry-after']).toBe('1');
    expect(refused[0]?.body).toMatchObject({
      code: 'RATE_LIMITED',
      error: expect.stringContaining('searches') as string,
    });
    expect((await test.call('GET', '/tasks?q=nothing', { key })).status).toBe(200);
  });

  it('are given up when their callers hang up, without a word of error in the log', async () => {
    const test = await createTestApp();
    await longQueue(test, 'many@example.com');
    const key = await test.key('many@example.com');
    await test.app.listen({ host: '127.0.0.1', port: 0 });
    const { port } = test.app.server.address() as AddressInfo;
    const gone = Array.from({ length: SEARCH_LIMITS.perOwner }, () => search(port, key, 'nothing'));
    await waitFor('a refusal', async () => (await search(port, key, 'x').status) === 429);
    for (const { hangUp } of gone) hangUp();
    await waitFor('a free place', async () => (await search(port, key, 'x').status) === 200);
    expect(test.logged()).not.toContain('"level":50');
  });
});
