// Closes WebSockets.
import type { WebSocket } from 'ws';

/** Time that a client has to close its side before its connection is cut. */
const CLOSE_TIMEOUT_MS = 2000;

/** Closes the socket, and cuts the connection when the client does not close its side. */
export function closeSocket(socket: WebSocket, code: number, reason: string): void {
  socket.close(code, reason);
  const cut = setTimeout(() => socket.terminate(), CLOSE_TIMEOUT_MS);
  socket.once('close', () => clearTimeout(cut));
}
