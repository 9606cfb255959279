// Idempotency-Keys of submissions that wait in the queue: a repeat is answered as the first, another body is
// refused, and what was answered is what is stored.
import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createLocalEventBus } from '#adapters/memory/event-bus.ts';
import { createBullQueue } from '#adapters/redis/queue/queue.ts';
import { createIdSource } from '#core/domain/ids.ts';
import type { Submission } from '#core/domain/submission.ts';
import { QinboxError, unavailable } from '#core/errors.ts';
import { systemClock } from '#core/system-clock.ts';
import type { SubmissionQueue } from '#core/ports/submission-queue.ts';
import type { TaskStore } from '#core/ports/task-store.ts';
import { noTracer } from '#core/ports/tracer.ts';
import { createSubmissions, type Submissions } from '#core/services/submissions.ts';
import { draft, newOwner } from '#test/helpers/records.ts';
import { waitFor } from '#test/program/wait.ts';
import { sharedRedis } from '#test/services/services.ts';
import { createStore, STORES, type SharedStore } from './stores.ts';

const TIMEOUT_MS = 900_000;
const redis = await sharedRedis();

describe.skipIf('missing' in redis).each(STORES)('on %s', { timeout: TIMEOUT_MS }, (kind) => {
  let found: SharedStore | { missing: string };
  let store: SharedStore;
  let owner: string;
  let scope: string;
  const queues: SubmissionQueue[] = [];

  beforeAll(async () => {
    found = await createStore(kind);
  }, TIMEOUT_MS);
  afterAll(async () => {
    if ('storage' in found) await found.remove();
  });
  let prefix: string;
  let first: Process;
  beforeEach(({ skip }) => {
    if ('missing' in found) return skip(found.missing);
    store = found;
    prefix = randomUUID();
    owner = newOwner();
    scope = `key:${owner}`;
    first = open();
  });
  afterEach(async () => {
    await Promise.all(queues.splice(0).map((queue) => queue.close()));
  });

  interface Process {
    submissions: Submissions;
    queue: SubmissionQueue;
    rejected: [Submission, unknown][];
    /** Works on the queue until nothing is left in it. */
    drain(): Promise<void>;
  }

  /** One process over the queue and the store. */
  function open(change: Partial<TaskStore> = {}): Process {
    const queue = createBullQueue({ url: 'url' in redis ? redis.url : '', prefix, backoffMs: 5 });
    queues.push(queue);
    const rejected: [Submission, unknown][] = [];
    const submissions = createSubmissions({
      tasks: { ...store.storage.tasks, ...change },
      hasOwner: () => true,
      queue,
      bus: createLocalEventBus(),
      clock: systemClock,
      nextId: createIdSource(),
      observer: { carriedOut: () => {}, failed: () => {} },
      tracer: noTracer,
    });
    return {
      submissions,
      queue,
      rejected,
      async drain() {
        const worker = queue.work({
          carryOut: submissions.carryOut,
          reject: async (submission, fault) => void rejected.push([submission, fault]),
        });
        await waitFor(
          'everything to be carried out',
          async () => (await queue.states()).every(({ waiting, active }) => waiting + active === 0),
          TIMEOUT_MS,
        );
        await worker.stop();
      },
    };
  }

  const requestOf = (content: string, key: string) => ({
    ownerId: owner,
    adapter: 'rest',
    drafts: [draft({ content })],
    idempotency: { scope, key },
    requestId: randomUUID(),
  });
  const codeOf = (answer: Promise<unknown>) =>
    answer.then(
      () => 'none',
      (fault: unknown) => (fault instanceof QinboxError ? fault.code : fault),
    );
  const listed = async () =>
    (
      await store.storage.tasks.listById({
        ownerId: owner,
        order: 'ascending',
        limit: 100,
        now: Date.now(),
      })
    ).map(({ id, content }) => [id, content]);

  it('answers a repeat while the first waits, and after it, with the id of the task that is made', async () => {
    const second = open();
    const answer = await first.submissions.enqueue(requestOf('once', 'a'));
    expect(answer.isReplay).toBe(false);
    const again = { taskIds: answer.taskIds, isReplay: true };
    expect(await first.submissions.enqueue(requestOf('once', 'a'))).toMatchObject(again);
    expect(await second.submissions.enqueue(requestOf('once', 'a'))).toMatchObject(again);
    await first.drain();
    expect(await listed()).toEqual([[answer.taskIds[0], 'once']]);
    expect(await second.submissions.enqueue(requestOf('once', 'a'))).toMatchObject(again);
    await first.drain();
    expect(await listed()).toHaveLength(1);
  });

  it('refuses another body under the key while the first waits, and after it', async () => {
    await first.submissions.enqueue(requestOf('one', 'b'));
    const other = () => codeOf(first.submissions.enqueue(requestOf('two', 'b')));
    expect(await other()).toBe('IDEMPOTENCY_KEY_REUSED');
    expect(await codeOf(first.submissions.store(requestOf('two', 'b')))).toBe('IDEMPOTENCY_KEY_REUSED');
    await first.drain();
    expect(await other()).toBe('IDEMPOTENCY_KEY_REUSED');
    expect((await listed()).map(([, content]) => content)).toEqual(['one']);
    expect(first.rejected).toEqual([]);
  });

  it('tells one that wants the task now that the first waits, then answers as the first', async () => {
    const [id] = (await first.submissions.enqueue(requestOf('now', 'c'))).taskIds;
    expect(await codeOf(first.submissions.store(requestOf('now', 'c')))).toBe('IDEMPOTENCY_IN_PROGRESS');
    await first.drain();
    expect(await first.submissions.store(requestOf('now', 'c'))).toMatchObject({
      taskIds: [id],
      isReplay: true,
      outcomes: [{ task: { id, content: 'now' }, created: true }],
    });
  });

  it('answers the same id to all of many that come at once, in two processes', async () => {
    const processes = [first, open()];
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, index) =>
        (processes[index % 2] as Process).submissions.enqueue(requestOf('race', 'd')),
      ),
    );
    await first.drain();
    const [task] = await listed();
    expect(new Set(answers.flatMap(({ taskIds }) => taskIds))).toEqual(new Set([task?.[0]]));
    expect(answers.filter(({ isReplay }) => !isReplay)).toHaveLength(1);
  });

  it('takes a submission while the store is away, and rejects it then if its key was used otherwise', async () => {
    const away = open({ readClaim: () => Promise.reject(unavailable('database', new Error('away'))) });
    await first.submissions.store(requestOf('one', 'e'));
    await away.submissions.enqueue(requestOf('two', 'e'));
    await first.drain();
    expect((await listed()).map(([, content]) => content)).toEqual(['one']);
    expect(first.rejected).toMatchObject([
      [{ inserts: [{ draft: { content: 'two' } }] }, { code: 'IDEMPOTENCY_KEY_REUSED' }],
    ]);
  });
});
