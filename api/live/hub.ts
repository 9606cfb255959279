// Who is watching which queue, and what is sent to them: each event is written once, however many watch.
import { WebSocket } from 'ws';
import { LIVE_CLOSE, type LiveMessage } from '#core/contract/index.ts';
import type { BusEvent, EventBus } from '#core/ports/event-bus.ts';
import type { SignedIn } from '#core/services/principal.ts';
import { taskJson } from '../present.ts';

/** Bytes that may wait for a client that does not read; beyond this it is sent no more. */
const MAX_WAITING_BYTES = 1024 * 1024;
/** Bytes that may wait for all clients of an owner together, and for all clients; each has an equal part of them. */
const MAX_WAITING_BYTES_OF_OWNER = 16 * 1024 * 1024;
const MAX_WAITING_BYTES_IN_ALL = 128 * 1024 * 1024;
/**
 * How long such a client has to read what waits. One that does was only hit by a burst, and is told to fetch the list;
 * one that does not is closed.
 */
const CATCH_UP_MS = 3000;
const CATCH_UP_CHECK_MS = 50;
/** How often a client is asked whether it is still there; one that did not answer since the last time is dropped. */
const PING_INTERVAL_MS = 30_000;
/** How long a client has to say goodbye before its connection is cut. */
const CLOSE_TIMEOUT_MS = 2000;
const RESET = JSON.stringify({ type: 'queue.reset' } satisfies LiveMessage);

interface Client {
  socket: WebSocket;
  principal: SignedIn;
  alive: boolean;
  /** Was sent too much at once, and may have missed events since. */
  behind: boolean;
}

interface HubOptions {
  bus: EventBus;
  /** Whether somebody who was let in may stay. */
  stillAllowed: (principal: SignedIn) => Promise<boolean>;
  /** Open sockets of one owner. */
  maxSocketsPerOwner: number;
  onError: (error: unknown) => void;
}

export type LiveHub = ReturnType<typeof createLiveHub>;

export function createLiveHub({ bus, stillAllowed, maxSocketsPerOwner, onError }: HubOptions) {
  const byOwner = new Map<string, Set<Client>>();
  let open = 0;

  const unsubscribe = bus.subscribe(hear);
  const pinging = setInterval(ping, PING_INTERVAL_MS);
  pinging.unref();

  function hear(event: BusEvent): void {
    switch (event.kind) {
      case 'task': {
        const clients = byOwner.get(event.task.ownerId);
        if (clients === undefined) return;
        const { type, task } = event;
        broadcast(clients, `{"type":"${type}","task":${taskJson(task)},"version":${task.version}}`);
        return;
      }
      case 'reset':
        for (const clients of clientsOf(event.ownerId)) broadcast(clients, RESET);
        return;
      case 'access':
        for (const clients of clientsOf(event.userId)) recheck(clients).catch(onError);
    }
  }

  function clientsOf(ownerId: string | null): Set<Client>[] {
    if (ownerId === null) return [...byOwner.values()];
    const clients = byOwner.get(ownerId);
    return clients === undefined ? [] : [clients];
  }

  function broadcast(clients: Set<Client>, text: string): void {
    // Once as bytes, which all sockets share for as long as they wait.
    const message = Buffer.from(text);
    const most = Math.min(
      MAX_WAITING_BYTES,
      MAX_WAITING_BYTES_OF_OWNER / clients.size,
      MAX_WAITING_BYTES_IN_ALL / open,
    );
    for (const client of clients) {
      if (client.behind) continue;
      if (client.socket.bufferedAmount <= most) client.socket.send(message, { binary: false });
      else {
        client.behind = true;
        letCatchUp(client, CATCH_UP_MS);
      }
    }
  }

  function letCatchUp(client: Client, leftMs: number): void {
    setTimeout(() => {
      if (client.socket.readyState !== WebSocket.OPEN) return;
      if (client.socket.bufferedAmount === 0) {
        client.behind = false;
        client.socket.send(RESET);
      } else if (leftMs > 0) letCatchUp(client, leftMs - CATCH_UP_CHECK_MS);
      else dismiss(client, LIVE_CLOSE.tooSlow, 'too slow');
    }, CATCH_UP_CHECK_MS);
  }

  async function recheck(clients: Set<Client>): Promise<void> {
    for (const client of [...clients])
      if (!(await stillAllowed(client.principal))) dismiss(client, LIVE_CLOSE.signedOut, 'signed out');
  }

  function ping(): void {
    for (const clients of byOwner.values())
      for (const client of clients) {
        if (!client.alive) client.socket.terminate();
        client.alive = false;
        client.socket.ping();
      }
  }

  function dismiss(client: Client, code: number, reason: string): void {
    forget(client);
    client.socket.close(code, reason);
    const cut = setTimeout(() => client.socket.terminate(), CLOSE_TIMEOUT_MS);
    client.socket.once('close', () => clearTimeout(cut));
  }

  function forget(client: Client): void {
    const clients = byOwner.get(client.principal.ownerId);
    if (clients === undefined) return;
    if (clients.delete(client)) open--;
    if (clients.size === 0) byOwner.delete(client.principal.ownerId);
  }

  return {
    /** Whether this owner may open another socket. */
    hasRoom(ownerId: string): boolean {
      return (byOwner.get(ownerId)?.size ?? 0) < maxSocketsPerOwner;
    },

    /** Lets a client watch its owner's queue from now on. */
    add(socket: WebSocket, principal: SignedIn, serverTime: string): void {
      const client: Client = { socket, principal, alive: true, behind: false };
      const clients = byOwner.get(principal.ownerId) ?? new Set<Client>();
      byOwner.set(principal.ownerId, clients.add(client));
      open++;
      socket.on('pong', () => (client.alive = true));
      socket.on('close', () => forget(client));
      socket.on('error', () => forget(client));
      socket.send(JSON.stringify({ type: 'hello', serverTime } satisfies LiveMessage));
    },

    /** How many sockets are open. */
    size: () => open,

    /** Tells every client that the server restarts, and stops listening to the bus. */
    close(): void {
      unsubscribe();
      clearInterval(pinging);
      for (const clients of clientsOf(null))
        for (const client of [...clients]) dismiss(client, LIVE_CLOSE.restarting, 'restarting');
    },
  };
}
