// A TCP proxy before a server, to let the network fail: nothing passes any more, or nobody answers at the
// port.
import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';

export interface Proxy {
  port: number;
  /** Keeps the connections and passes nothing on, as a stopped server does. */
  hang(): void;
  /** Cuts every connection and accepts none, as a server that ended does. */
  refuse(): void;
  /** All is well again. */
  resume(): void;
  close(): Promise<void>;
}

export async function startProxy(host: string, port: number): Promise<Proxy> {
  const sockets = new Set<Socket>();
  let state: 'open' | 'hanging' | 'refusing' = 'open';

  function pass(from: Socket, to: Socket): void {
    sockets.add(from);
    from.on('data', (data) => {
      if (state === 'open') to.write(data);
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
    resume() {
      // What was lost on the way never arrives: as after a restart, both sides begin anew.
      if (state === 'hanging') cut();
      state = 'open';
    },
    async close() {
      const closed = once(server, 'close');
      server.close();
      cut();
      await closed;
    },
  };
}
