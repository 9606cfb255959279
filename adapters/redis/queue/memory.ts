// How full Redis is. Submissions are refused before it is, so that what is in it can still be worked off.
import type { Redis } from 'ioredis';
import { QinboxError } from '#core/errors.ts';
import type { Log } from '#core/ports/log.ts';
import type { QueueMemory } from '#core/ports/submission-queue.ts';
import { serversOf } from '../connection.ts';

/** From this share of `maxmemory` on, no submission is taken. */
const FULL_SHARE = 0.85;
/** How old what is known of the memory may be, in milliseconds. */
const MAX_AGE_MS = 1000;
const RETRY_AFTER_SECONDS = 10;
const MIB = 2 ** 20;

export interface RedisMemory extends QueueMemory {
  /** Redis' `maxmemory-policy`, where it says. */
  policy: string | undefined;
}

export function createMemoryGuard(redis: Redis, log: Pick<Log, 'info' | 'warn'> | undefined) {
  let readAt = Number.NEGATIVE_INFINITY;
  const reading: Partial<Record<'all' | 'heard', ReturnType<typeof ask>>> = {};
  /** Servers of a cluster that did not answer the last time. */
  const silent = new WeakSet<Redis>();
  let full = false;
  let refused = 0;

  async function memoryAt(server: Redis): Promise<RedisMemory> {
    try {
      const memory = memoryOf(await server.info('memory'));
      silent.delete(server);
      return memory;
    } catch (error) {
      silent.add(server);
      throw error;
    }
  }

  /**
   * Of the fullest server that answers, and why another one of a cluster does not. All are asked; those
   * that did not answer the last time are waited for only `withSilent`, or where no other is left.
   */
  async function ask(withSilent: boolean): Promise<{ fullest: RedisMemory; fault: Error | undefined }> {
    const asked = serversOf(redis).map((server) => ({
      wasSilent: silent.has(server),
      memory: memoryAt(server),
    }));
    const heard = asked.filter(({ wasSilent }) => !wasSilent);
    const waitedFor = withSilent || heard.length === 0 ? asked : heard;
    for (const { memory } of asked) memory.catch(() => undefined);
    const answers = await Promise.allSettled(waitedFor.map(({ memory }) => memory));
    const known = answers.flatMap((answer) => (answer.status === 'fulfilled' ? [answer.value] : []));
    const [fault] = answers.flatMap((answer) =>
      answer.status === 'rejected' ? [answer.reason as Error] : [],
    );
    const [fullest] = known.toSorted((a, b) => shareOf(b) - shareOf(a));
    if (fullest === undefined) throw fault ?? new Error('no server of the Redis Cluster is known');
    note(shareOf(fullest) >= FULL_SHARE, fullest);
    return { fullest, fault };
  }

  function note(isFull: boolean, fields: object): void {
    readAt = performance.now();
    if (isFull && !full) log?.warn(fields, 'Redis is full: submissions are refused until it has room');
    if (!isFull && full) log?.info({ ...fields, refused }, 'Redis has room: submissions are taken again');
    if (!isFull) refused = 0;
    full = isFull;
  }

  /** Those who ask while it is read have the same answer. */
  function read(which: 'all' | 'heard'): ReturnType<typeof ask> {
    return (reading[which] ??= ask(which === 'all').finally(() => delete reading[which]));
  }

  return {
    /** Reads it now. Rejects when a server does not answer. */
    async read(): Promise<RedisMemory> {
      const { fullest, fault } = await read('all');
      if (fault !== undefined) throw fault;
      return fullest;
    },

    /**
     * Rejects with SERVICE_UNAVAILABLE when there is no room. Asks Redis once a second at most. A server of a
     * cluster that does not answer takes nothing, and delays what others take only when it is found out.
     */
    async demandRoom(): Promise<void> {
      if (performance.now() - readAt > MAX_AGE_MS)
        await read('heard').catch((error: unknown) => {
          // Who may not ask goes on as if there were room: Redis refuses by itself what it cannot hold.
          if (!isReply(error)) throw error;
          readAt = performance.now();
        });
      if (full) throw refusal();
    },

    /** What the sender is told about this failure of a write: nothing of its own unless Redis was full. */
    refusalOf(error: unknown): QinboxError | null {
      if (!(isReply(error) && error.message.startsWith('OOM'))) return null;
      note(true, { err: error });
      return refusal(error);
    },
  };

  function refusal(cause?: unknown): QinboxError {
    refused++;
    return new QinboxError('SERVICE_UNAVAILABLE', 'The queue is full right now. Try again shortly.', {
      ...(cause === undefined ? {} : { cause }),
      retryAfterSeconds: RETRY_AFTER_SECONDS,
    });
  }
}

/** Throws when Redis may drop data once its memory is full, or when it is full now; says what to do. */
export function checkMemory({ policy, ...memory }: RedisMemory): void {
  if (policy !== undefined && policy !== 'noeviction')
    throw new Error(`Redis has maxmemory-policy ${policy} and may drop submissions: set it to noeviction`);
  if (shareOf(memory) < FULL_SHARE) return;
  const [used, limit] = [memory.usedBytes, memory.limitBytes].map((bytes) => (bytes / MIB).toFixed(1));
  throw new Error(
    `Redis is full (${used} of ${limit} MiB) and submissions are refused, until workers have made room. ` +
      'See that workers run; if few submissions wait, something else is in it: remove that, or raise its maxmemory',
  );
}

/** An answer of Redis that says no, in contrast to none. */
export function isReply(error: unknown): error is Error {
  return error instanceof Error && error.name === 'ReplyError';
}

function shareOf({ usedBytes, limitBytes }: QueueMemory): number {
  return limitBytes === 0 ? 0 : usedBytes / limitBytes;
}

/** `info`: of `INFO memory`. What Redis itself does not count against its limit is left out. */
function memoryOf(info: string): RedisMemory {
  const number = (name: string) => Number(new RegExp(`^${name}:(\\d+)`, 'm').exec(info)?.[1] ?? 0);
  return {
    usedBytes: number('used_memory') - number('mem_not_counted_for_evict'),
    limitBytes: number('maxmemory'),
    policy: /^maxmemory_policy:(\S+)/m.exec(info)?.[1],
  };
}
