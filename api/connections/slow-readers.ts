// Ends connections whose client does not read its answers. One timer checks all; a request costs nothing.
import type { Socket } from 'node:net';

/** How long a connection may be slower than {@link MIN_BYTES_PER_SECOND}. */
const GRACE_MS = 10_000;
/** Bytes that the client must read a second, on average, while any wait. Kestrel asks for 240. */
const MIN_BYTES_PER_SECOND = 512;
const CHECK_INTERVAL_MS = 1000;

interface Throughput {
  /** When something began to wait, in milliseconds of the monotonic clock; null while nothing does. */
  since: number | null;
  /** Bytes taken until then. */
  before: number;
  /** Bytes taken until the last check. */
  last: number;
}

/** `onEnded` is called for each connection that is ended. */
export function watchProgress(onEnded: () => void) {
  const watched = new Map<Socket, Throughput>();
  const stalled = new WeakSet<Socket>();
  const checking = setInterval(check, CHECK_INTERVAL_MS);
  checking.unref();

  function check(): void {
    const now = performance.now();
    for (const [socket, state] of watched) {
      if (socket.writableLength === 0) {
        state.since = null;
        stalled.delete(socket);
      } else if (tooSlow(socket, state, now)) {
        socket.destroy();
        onEnded();
      }
    }
  }

  function tooSlow(socket: Socket, state: Throughput, now: number): boolean {
    const taken = takenFrom(socket);
    if (state.since !== null && taken === state.last) stalled.add(socket);
    else stalled.delete(socket);
    state.last = taken;
    if (state.since !== null && now - state.since < GRACE_MS) return false;
    const isFirst = state.since === null;
    const enough = state.before + (MIN_BYTES_PER_SECOND * GRACE_MS) / 1000;
    state.since = now;
    state.before = taken;
    return !isFirst && taken < enough;
  }

  return {
    /** Watches a connection until it is closed; twice is fine. */
    watch(socket: Socket): void {
      if (watched.has(socket)) return;
      watched.set(socket, { since: null, before: 0, last: 0 });
      socket.once('close', () => watched.delete(socket));
    },
    /** Whether something waits, and nothing of it was taken between the last two checks. */
    isStalled: (socket: Socket) => stalled.has(socket),
    stop: () => clearInterval(checking),
  };
}

/**
 * Bytes that the system has taken for sending. Node reports a write only when all of it was taken, however
 * large; the socket's handle knows the rest. Node's own socket timeout is no use here: it starts anew with
 * each byte that the client sends, and with any byte that it reads.
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
