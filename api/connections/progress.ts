// Ends connections whose other side does not take what is sent to it: a small file takes seconds to send to a slow reader, and a
// reader who stopped would have it wait here for ever. One timer looks at all of them; a request costs nothing.
import type { Socket } from 'node:net';

/** How long a connection may be slower than {@link LEAST_PER_SECOND}. */
const PATIENCE_MS = 10_000;
/** What its other side must take in the long run while something waits for it. Kestrel asks for 240, of the slowest networks. */
const LEAST_PER_SECOND = 512;
const CHECK_INTERVAL_MS = 1000;

interface Pace {
  /** When something began to wait, in milliseconds of the monotonic clock; null while nothing does. */
  since: number | null;
  /** Bytes taken until then. */
  before: number;
  /** Bytes taken until the last check. */
  last: number;
}

export interface Progress {
  /** Watches a connection until it is closed; twice is fine. */
  watch(socket: Socket): void;
  /** Whether something waits, and nothing of it was taken between the last two checks. */
  isStalled(socket: Socket): boolean;
  sockets(): Iterable<Socket>;
  stop(): void;
}

/** `onEnded` hears of each connection that is ended. */
export function watchProgress(onEnded: () => void): Progress {
  const paces = new Map<Socket, Pace>();
  const stalled = new WeakSet<Socket>();
  const checking = setInterval(check, CHECK_INTERVAL_MS);
  checking.unref();

  function check(): void {
    const now = performance.now();
    for (const [socket, pace] of paces) {
      if (socket.writableLength === 0) {
        pace.since = null;
        stalled.delete(socket);
      } else if (tooSlow(socket, pace, now)) {
        socket.destroy();
        onEnded();
      }
    }
  }

  function tooSlow(socket: Socket, pace: Pace, now: number): boolean {
    const taken = takenFrom(socket);
    if (pace.since !== null && taken === pace.last) stalled.add(socket);
    else stalled.delete(socket);
    pace.last = taken;
    if (pace.since !== null && now - pace.since < PATIENCE_MS) return false;
    const isFirst = pace.since === null;
    const enough = pace.before + (LEAST_PER_SECOND * PATIENCE_MS) / 1000;
    pace.since = now;
    pace.before = taken;
    return !isFirst && taken < enough;
  }

  return {
    watch(socket) {
      if (paces.has(socket)) return;
      paces.set(socket, { since: null, before: 0, last: 0 });
      socket.once('close', () => paces.delete(socket));
    },
    isStalled: (socket) => stalled.has(socket),
    sockets: () => paces.keys(),
    stop: () => clearInterval(checking),
  };
}

/**
 * Bytes that the system took over for sending. Node tells of a write only when all of it was taken, however large; what is left of
 * one, its handle knows, by which Node's own timeout of sockets goes as well. That timeout is no use here: it begins anew with every
 * byte that the other side sends, and a byte taken in time satisfies it.
 */
function takenFrom(socket: Socket): number {
  const handle: unknown = Reflect.get(socket, '_handle');
  const [dispatched, queued] = ['bytesWritten', 'writeQueueSize'].map((name) =>
    typeof handle === 'object' && handle !== null ? (Reflect.get(handle, name) as unknown) : undefined,
  );
  return typeof dispatched === 'number' && typeof queued === 'number'
    ? dispatched - queued
    : socket.bytesWritten - socket.writableLength;
}
