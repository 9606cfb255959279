// Lets a long body take longer than a request may, while enough of it comes: a file over a slow line.
import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';

/** How much must come in each of these times, from the beginning of the body on. */
const WINDOW_MS = 10_000;
const MIN_BYTES_PER_SECOND = 16 * 1024;

interface LongBody {
  request: IncomingMessage;
  /** Bytes that the connection had read when the window began. */
  before: number;
}

const bodies = new WeakMap<Socket, LongBody>();

/** To be called before a long body is read. */
export function expectLongBody(request: IncomingMessage): void {
  bodies.set(request.socket, { request, before: request.socket.bytesRead });
}

/**
 * Whether the request that is on its way may take longer, once its time is up. `onTooSlow` is called when it
 * may no more.
 */
export function mayTakeLonger(socket: Socket, onTooSlow: () => void, windowMs = WINDOW_MS): boolean {
  const body = bodies.get(socket);
  if (body === undefined || body.request.complete || !cameOn(socket, body, windowMs)) return false;
  const checking = setInterval(() => {
    const isOver = body.request.complete || socket.destroyed;
    if (!isOver && cameOn(socket, body, windowMs)) return;
    clearInterval(checking);
    if (!isOver) onTooSlow();
  }, windowMs);
  checking.unref();
  return true;
}

function cameOn(socket: Socket, body: LongBody, windowMs: number): boolean {
  const enough = (MIN_BYTES_PER_SECOND * windowMs) / 1000;
  const came = socket.bytesRead - body.before;
  body.before = socket.bytesRead;
  return came >= enough;
}
