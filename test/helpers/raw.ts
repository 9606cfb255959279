// Bytes on a socket of the real server, for what no HTTP client would send or do.
import { once } from 'node:events';
import { connect, type AddressInfo, type Socket } from 'node:net';
import type { FastifyInstance } from 'fastify';

/** Listens on a free port and answers its number. */
export async function listen(app: FastifyInstance): Promise<number> {
  await app.listen({ host: '127.0.0.1', port: 0 });
  return (app.server.address() as AddressInfo).port;
}

/** An open connection that has written these bytes. What goes wrong on it later is nobody's concern. */
export async function open(port: number, bytes: string, address = '127.0.0.1'): Promise<Socket> {
  const socket = connect(port, address);
  socket.on('error', () => {});
  await once(socket, 'connect');
  await new Promise<void>((done) => void socket.write(bytes, () => done()));
  return socket;
}

/** Everything that the server says to these bytes until it closes the connection. */
export async function exchange(port: number, bytes: string): Promise<string> {
  const socket = await open(port, bytes);
  const chunks: Buffer[] = [];
  socket.on('data', (chunk: Buffer) => void chunks.push(chunk));
  await once(socket, 'close');
  return Buffer.concat(chunks).toString();
}
