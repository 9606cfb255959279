// Gives memory back to the system while nobody asks for anything. V8 collects garbage when it needs room,
// so what a start or a busy hour has left would stay resident for as long as the server is at rest.
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/** Each window is judged by itself. */
const WINDOW_MS = 10_000;
/** Until the first collection: the largest part of what a start has left goes within seconds. */
const FIRST_WINDOW_MS = 1000;
/** Share of a window in which a server at rest has work at most. */
const REST_SHARE = 0.01;
/** A collection takes 30 to 60 ms of the event loop, so it is not repeated for less than this. */
const WORTHWHILE_BYTES = 8 * 2 ** 20;

interface Sources {
  /** Share of the time since the last call in which the event loop had work. */
  utilization: () => number;
  residentBytes: () => number;
  collect: () => void;
}

/**
 * One look at the end of each window: collects at rest, and then again only after memory has grown. Answers
 * how long the next window is, in milliseconds.
 */
export function createIdleCheck({ utilization, residentBytes, collect }: Sources): () => number {
  let afterLast = -Infinity;
  return () => {
    if (utilization() <= REST_SHARE && residentBytes() - afterLast >= WORTHWHILE_BYTES) {
      collect();
      afterLast = residentBytes();
    }
    return afterLast === -Infinity ? FIRST_WINDOW_MS : WINDOW_MS;
  };
}

/** Starts looking. Does not keep the process running. */
export function giveBackMemoryAtRest(): void {
  let from = performance.eventLoopUtilization();
  let collect: NodeJS.GCFunction | undefined;
  const check = createIdleCheck({
    utilization() {
      const now = performance.eventLoopUtilization();
      const { utilization } = performance.eventLoopUtilization(now, from);
      from = now;
      return utilization;
    },
    residentBytes: () => process.memoryUsage.rss(),
    collect() {
      collect ??= findCollector();
      // The flavor that gives back free pages as well.
      collect({ type: 'major', execution: 'sync', flavor: 'last-resort' });
    },
  });
  const look = (): void => void setTimeout(look, check()).unref();
  setTimeout(look, FIRST_WINDOW_MS).unref();
}

/** `gc`, which Node shows only to code that asks for it. */
function findCollector(): NodeJS.GCFunction {
  setFlagsFromString('--expose-gc');
  try {
    return runInNewContext('gc') as NodeJS.GCFunction;
  } finally {
    // Compiled code is cached for the flags that were set: the next start has them without this one.
    setFlagsFromString('--no-expose-gc');
  }
}
