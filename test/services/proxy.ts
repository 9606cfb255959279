// A TCP proxy before a server, to let the network fail: nothing passes any more, nobody answers at the port,
// or everything takes its time.
import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';

export interface Proxy {
  port: number;
  /** Keeps the connections and passes nothing on, as a stopped server does. */
  hang(): void;
  /** Cuts every connection and accepts none, as a server that ended does. */
  refuse(): void;
  /** Passes everything on, each way only after this many milliseconds. */
  delay(ms: number): void;
  /** All is well again. */
  resume(): void;
  close(): Promise<void>;
}

export async function startProxy(host: string, port: number): Promise<Proxy> {
  const sockets = new Set<Socket>();
  let state: 'open' | 'hanging' | 'refusing' = 'open';
  let delayMs = 0;

  function pass(from: Socket, to: Socket): void {
    sockets.add(from);
    from.on('data', (data) => {
      if (state !== 'open') return;
      // Equal delays end in the order in which they began.
      if (delayMs > 0) setTimeout(() => to.writable && to.write(data), delayMs);
      else to.write(data);
    });
    from.on('error', () => from.destroy());
    from.on('close', () => {
      sockets.delete(from);
      to.destroy();
    });
  }
  const server = createServer((client) => {
    if (state === 'refusing') {
      client.destroy();
      return;
    }
    const upstream = connect(port, host);
    pass(client, upstream);
    pass(upstream, client);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const cut = () => {
    for (const socket of sockets) socket.destroy();
  };

  return {
    port: (server.address() as AddressInfo).port,
    hang: () => (state = 'hanging'),
    refuse() {
      state = 'refusing';
      cut();
    },
    delay: (ms) => void (delayMs = ms),
    resume() {
      // What was lost on the way never arrives: as after a restart, both sides begin anew.
      if (state === 'hanging') cut();
      state = 'open';
      delayMs = 0;
    },
    async close() {
      const closed = once(server, 'close');
      server.close();
      cut();
      await closed;
    },
  };
}
