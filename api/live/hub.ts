// Sends the events of a queue to the clients that watch it. Each event is serialised once, for all of them.
import { WebSocket } from 'ws';
import { LIVE_CLOSE, type LiveMessage } from '#core/contract/index.ts';
import type { Clock } from '#core/ports/clock.ts';
import type { BusEvent, EventBus, OwnerWatch } from '#core/ports/event-bus.ts';
import { atExpiry } from '#core/services/key-expiry.ts';
import type { SignedIn } from '#core/services/principal.ts';
import type { Admitted, Rechecks } from '#core/services/rechecks.ts';
import { closeSocket } from '../connections/close-socket.ts';
import { taskJson } from '../present/tasks.ts';

/** Bytes that may wait for a client that does not read; a client with more is sent nothing further. */
const MAX_WAITING_BYTES = 1024 * 1024;
/** Bytes that may wait for all clients of one owner, and for all clients; each client has an equal part. */
const MAX_WAITING_BYTES_OF_OWNER = 16 * 1024 * 1024;
const MAX_WAITING_BYTES_IN_ALL = 128 * 1024 * 1024;
/**
 * Time that such a client has to read what waits. One that does was only hit by a burst, and is asked to
 * fetch the list; one that does not is closed.
 */
const CATCH_UP_MS = 3000;
const CATCH_UP_CHECK_MS = 50;
/** Interval of pings; a client that did not answer the last one is dropped. */
const PING_INTERVAL_MS = 30_000;
/** How far resets of everybody are spread: so much for each client that is connected, and at most. */
const RESET_SPREAD_MS_PER_CLIENT = 10;
const MAX_RESET_SPREAD_MS = 10_000;
/** So few are told at once. */
const FEW_CLIENTS = 10;
const RESET = JSON.stringify({ type: 'queue.reset' } satisfies LiveMessage);

interface Client extends Admitted {
  socket: WebSocket;
  alive: boolean;
  /** It was sent `hello`; what happened before is in the list that it fetches then. */
  isGreeted: boolean;
  /** When it is to be told to fetch the list. */
  resetDue: NodeJS.Timeout | undefined;
  /** Too much waits for it, and it may have missed events since. */
  behind: boolean;
  /** Stops waiting for the end of its key. */
  forgetExpiry: () => void;
}

interface HubOptions {
  bus: EventBus;
  clock: Clock;
  rechecks: Rechecks;
  /** Open sockets of one owner. */
  maxSocketsPerOwner: number;
}

export function createLiveHub({ bus, clock, rechecks, maxSocketsPerOwner }: HubOptions) {
  const byOwner = new Map<string, Set<Client>>();
  const watches = createWatches(bus);
  let open = 0;
  let closed = false;

  const unsubscribe = bus.subscribe(onEvent);
  const leaveRechecks = rechecks.add({
    owners: () => byOwner.keys(),
    of: (ownerId) => byOwner.get(ownerId) ?? [],
  });
  const pinging = setInterval(() => clientsOf(null).forEach(pingAll), PING_INTERVAL_MS).unref();

  function onEvent(event: BusEvent): void {
    switch (event.kind) {
      case 'task': {
        const clients = byOwner.get(event.task.ownerId);
        if (clients === undefined) return;
        const { type, task } = event;
        broadcast(clients, `{"type":"${type}","task":${taskJson(task)},"version":${task.version}}`);
        return;
      }
      case 'reset':
        if (event.ownerId === null) resetOverTime(clientsOf(null), open, broadcast);
        else for (const clients of clientsOf(event.ownerId)) broadcast(clients, RESET);
        return;
      default:
        return;
    }
  }

  function clientsOf(ownerId: string | null): Set<Client>[] {
    if (ownerId === null) return [...byOwner.values()];
    const clients = byOwner.get(ownerId);
    return clients === undefined ? [] : [clients];
  }

  function broadcast(clients: ReadonlySet<Client>, text: string): void {
    send(clients, text, open, (client) => dismiss(client, LIVE_CLOSE.tooSlow, 'too slow'));
  }

  function dismiss(client: Client, code: number, reason: string): void {
    remove(client);
    closeSocket(client.socket, code, reason);
  }

  function remove(client: Client): void {
    client.forgetExpiry();
    clearTimeout(client.resetDue);
    const { ownerId } = client.principal;
    const clients = byOwner.get(ownerId);
    if (clients === undefined) return;
    if (clients.delete(client)) open--;
    if (clients.size > 0) return;
    byOwner.delete(ownerId);
    watches.end(ownerId);
  }

  return {
    /** Whether this owner may open another socket. */
    hasRoom(ownerId: string): boolean {
      return (byOwner.get(ownerId)?.size ?? 0) < maxSocketsPerOwner;
    },

    /** Sends the events of its owner's queue to a client from now on. A closed hub closes the client. */
    add(socket: WebSocket, principal: SignedIn, serverTime: string): void {
      // Its upgrade was in flight when the shutdown began, and the server waits for every connection.
      if (closed) return closeSocket(socket, LIVE_CLOSE.restarting, 'restarting');
      const end = () => dismiss(client, LIVE_CLOSE.signedOut, 'expired');
      const client: Client = {
        socket,
        principal,
        alive: true,
        isGreeted: false,
        behind: false,
        resetDue: undefined,
        forgetExpiry: atExpiry(clock, principal, end),
        shutOut: () => dismiss(client, LIVE_CLOSE.signedOut, 'signed out'),
      };
      byOwner.set(principal.ownerId, (byOwner.get(principal.ownerId) ?? new Set()).add(client));
      open++;
      socket.on('pong', () => (client.alive = true));
      for (const event of ['close', 'error']) socket.on(event, () => remove(client));
      void watches.begin(principal.ownerId).then(() => greet(client, serverTime));
    },

    /** How many sockets are open. */
    size: () => open,

    /** Closes every client, which will reconnect, and the subscription. */
    close(): void {
      closed = true;
      unsubscribe();
      leaveRechecks();
      clearInterval(pinging);
      for (const clients of clientsOf(null))
        for (const client of [...clients]) dismiss(client, LIVE_CLOSE.restarting, 'restarting');
    },
  };
}

/** The owners that this process hears of, because clients of theirs are connected. */
function createWatches(bus: EventBus) {
  const watches = new Map<string, OwnerWatch>();
  return {
    /** Resolves once changes of the owner's queue come. */
    begin(ownerId: string): Promise<void> {
      const watch = watches.get(ownerId) ?? bus.watch(ownerId);
      watches.set(ownerId, watch);
      return watch.ready;
    },
    end(ownerId: string): void {
      watches.get(ownerId)?.end();
      watches.delete(ownerId);
    },
  };
}

function greet(client: Client, serverTime: string): void {
  client.isGreeted = true;
  client.socket.send(JSON.stringify({ type: 'hello', serverTime } satisfies LiveMessage));
}

/** Sends a text to clients of one owner. `open`: clients of all owners. */
function send(
  clients: ReadonlySet<Client>,
  text: string,
  open: number,
  onTooSlow: (client: Client) => void,
): void {
  const fairShare = Math.min(
    MAX_WAITING_BYTES,
    MAX_WAITING_BYTES_OF_OWNER / clients.size,
    MAX_WAITING_BYTES_IN_ALL / open,
  );
  // As bytes, which all sockets share while they wait.
  const message = Buffer.from(text);
  for (const client of clients) {
    if (client.behind || !client.isGreeted) continue;
    if (client.socket.bufferedAmount <= fairShare) client.socket.send(message, { binary: false });
    else {
      client.behind = true;
      catchUpLater(client, CATCH_UP_MS, () => onTooSlow(client));
    }
  }
}

/** Tells all clients to fetch their lists, many of them not at once. */
function resetOverTime(
  clientsByOwner: readonly ReadonlySet<Client>[],
  open: number,
  broadcast: (clients: ReadonlySet<Client>, text: string) => void,
): void {
  if (open <= FEW_CLIENTS) for (const clients of clientsByOwner) broadcast(clients, RESET);
  else {
    const spreadMs = Math.min(open * RESET_SPREAD_MS_PER_CLIENT, MAX_RESET_SPREAD_MS);
    for (const client of clientsByOwner.flatMap((clients) => [...clients]))
      client.resetDue ??= setTimeout(() => {
        client.resetDue = undefined;
        broadcast(new Set([client]), RESET);
      }, Math.random() * spreadMs).unref();
  }
}

/** Asks the client to fetch the list once it has read what waits; `onTooSlow` when it has not in time. */
function catchUpLater(client: Client, leftMs: number, onTooSlow: () => void): void {
  setTimeout(() => {
    if (client.socket.readyState !== WebSocket.OPEN) return;
    if (client.socket.bufferedAmount === 0) {
      client.behind = false;
      client.socket.send(RESET);
    } else if (leftMs > 0) catchUpLater(client, leftMs - CATCH_UP_CHECK_MS, onTooSlow);
    else onTooSlow();
  }, CATCH_UP_CHECK_MS);
}

function pingAll(clients: ReadonlySet<Client>): void {
  for (const client of clients) {
    if (!client.alive) client.socket.terminate();
    client.alive = false;
    client.socket.ping();
  }
}
