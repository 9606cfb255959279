// Tells the log of an outage twice: when it begins, and when it is over, with how long it took and how many
// calls failed meanwhile. What fails in between is counted.
import { QinboxError } from '#core/errors.ts';
import type { Log } from '#core/ports/log.ts';
import { causeOf } from './cause.ts';

/** An outage is over once nothing has failed for this long, and the part answers. */
const QUIET_MS = 5000;
const CHECK_INTERVAL_MS = 1000;

/** Asks a part whether it answers; rejects when it does not. */
export type Check = () => Promise<void>;

interface Outage {
  since: number;
  lastFault: number;
  faults: number;
  latest: unknown;
  /** For a sentence: asks whether it is over; without it, it is once nothing has failed for a while. */
  check: Check | undefined;
}

export type Outages = ReturnType<typeof createOutages>;

export function createOutages(log: Log, quietMs = QUIET_MS) {
  const outages = new Map<string, Outage>();
  const checks = new Map<string, Check>();
  let timer: NodeJS.Timeout | undefined;
  let closed = false;

  /**
   * Counts a failure of `name`, a part or a sentence. True for the first of an outage. `check`: asks whether
   * what the sentence says is over.
   */
  function begins(name: string, fault: unknown, check?: Check): boolean {
    const now = performance.now();
    const known = outages.get(name);
    if (known === undefined)
      outages.set(name, { since: now, lastFault: now, faults: 1, latest: fault, check });
    else {
      known.lastFault = now;
      known.faults++;
      known.latest = fault;
    }
    lookLater();
    return known === undefined;
  }

  function lookLater(): void {
    if (closed) return;
    timer ??= setTimeout(() => {
      void look().finally(() => {
        timer = undefined;
        if (outages.size > 0) lookLater();
      });
    }, CHECK_INTERVAL_MS).unref();
  }

  async function look(): Promise<void> {
    const isQuiet = ({ lastFault }: Outage) => performance.now() - lastFault >= quietMs;
    await Promise.all(
      [...outages].map(async ([name, outage]) => {
        if (!isQuiet(outage)) return;
        const check = checks.get(name) ?? outage.check;
        const answers = await (check?.() ?? Promise.resolve()).then(
          () => true,
          () => false,
        );
        if (answers && isQuiet(outage)) end(name, outage);
      }),
    );
  }

  function end(name: string, { since, faults }: Outage): void {
    outages.delete(name);
    const seconds = Math.round((performance.now() - since) / 100) / 10;
    const message = checks.has(name) ? `the ${name} answers again` : 'it is over';
    log.info({ part: name, seconds, failures: faults }, message);
  }

  /** A call failed because this part does not answer. */
  function failed(part: string, fault: unknown): void {
    if (begins(part, fault))
      log.error({ part, cause: causeOf(fault), err: fault }, `the ${part} does not answer`);
    else log.debug({ part, err: fault }, 'a call failed');
  }

  return {
    failed,
    begins,

    /** Why the latest call failed, while the part is away. */
    latest: (part: string): unknown => outages.get(part)?.latest,

    /** Names the parts that can be asked whether they answer again. */
    watch(parts: Readonly<Record<string, Check>>): void {
      for (const [name, check] of Object.entries(parts)) checks.set(name, check);
    },

    close(): void {
      closed = true;
      clearTimeout(timer);
    },
  };
}

/** A log for parts of the program: faults of the store and the queue, and refusals, are no entries. */
export function withoutOutages(log: Log, outages: Pick<Outages, 'failed'>): Log {
  const quiet =
    (level: 'warn' | 'error') =>
    (fields: object, message: string): void => {
      const fault: unknown = 'err' in fields ? fields.err : undefined;
      const { part, refusal, cause } = fault instanceof QinboxError ? fault : NEITHER;
      if (part !== undefined) outages.failed(part, cause);
      log[part === undefined && refusal === undefined ? level : 'debug'](fields, message);
    };
  return {
    debug: (fields, message) => log.debug(fields, message),
    info: (fields, message) => log.info(fields, message),
    warn: quiet('warn'),
    error: quiet('error'),
  };
}

const NEITHER = { part: undefined, refusal: undefined, cause: undefined };

/**
 * A log for connections: an entry that comes again and again is written once, and once more when it has
 * stopped, or where it has `isOver`, when that says so. What names a request and its fault is written each
 * time.
 */
export function onceAState(log: Log, outages: Pick<Outages, 'begins'>): Log {
  const once =
    (level: 'warn' | 'error') =>
    (given: object, message: string): void => {
      const { isOver, ...fields } = given as { isOver?: () => boolean };
      const isOfOne = 'requestId' in fields && 'err' in fields;
      const check = isOver === undefined ? undefined : () => requireOver(isOver);
      if (isOfOne || outages.begins(message, null, check)) log[level](fields, message);
    };
  return {
    debug: (fields, message) => log.debug(fields, message),
    info: (fields, message) => log.info(fields, message),
    warn: once('warn'),
    error: once('error'),
  };
}

async function requireOver(isOver: () => boolean): Promise<void> {
  if (!isOver()) throw new Error('It goes on.');
}
