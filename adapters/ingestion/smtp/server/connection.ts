// Connections of smtp-server with our enhanced status codes. They end for clients that cause too many errors
// or replies, and for idle ones when others need the connection.
import type { Socket } from 'node:net';
import type { TLSSocket } from 'node:tls';
import { SMTPServer, type SMTPServerOptions, type SMTPServerSession } from 'smtp-server';
import { SMTPConnection } from 'smtp-server/lib/smtp-connection.js';
import { REPLIES, type Reply } from './reply.ts';

/** Errors and replies since the last message, more than any real sender causes. */
const MAX_ERRORS = 20;
const MAX_REPLIES = 250;
const ENHANCED = /^[245]\.\d{1,3}\.\d{1,3} /;
const CLOSING = 421;

class Connection extends SMTPConnection {
  /** Time of the last reply, by the clock of the server. */
  activeAt = 0;
  /** Whether it has sent a whole message. */
  hasSent = false;
  private errors = 0;
  private replies = 0;

  override send(code: number, data?: string | string[] | null, context?: string | false): void {
    const isOurs = typeof data === 'string' && ENHANCED.test(data);
    super.send(code, data, isOurs ? false : context);
    if (code === CLOSING) return;
    if (this._server instanceof MailServer) this.activeAt = this._server.now();
    if (context === 'DATA_OK') {
      this.errors = this.replies = 0;
      this.hasSent = true;
    }
    if (code >= 500) this.errors++;
    this.replies++;
    if (this.errors > MAX_ERRORS || this.replies > MAX_REPLIES)
      this.send(CLOSING, REPLIES.tooManyErrors.text);
  }

  /** Ends the connection as soon as the reason is sent; the client need not close its side. */
  evict(text: string): void {
    this.send(CLOSING, text);
    this._socket.destroySoon();
  }
}

/** State of a connection. Before the greeting its session has an id and little else. */
export interface ConnectionState {
  session: SMTPServerSession;
  address: string;
  idleMs: number;
  /** Whether it has sent a whole message. */
  hasSent: boolean;
}

/** Rank for eviction: the lowest go first; null for connections that are never evicted. */
export type RankOf = (connection: ConnectionState) => number | null;

/** smtp-server with these connections. */
export class MailServer extends SMTPServer {
  private readonly bySession = new WeakMap<SMTPServerSession, Connection>();
  private readonly clock: () => number;
  /** Called before each new connection. */
  private readonly beforeConnect: () => void;

  /** `now` is monotonic, in milliseconds. */
  constructor(options: SMTPServerOptions, now: () => number, beforeConnect: () => void) {
    super(options);
    this.clock = now;
    this.beforeConnect = beforeConnect;
  }

  now(): number {
    return this.clock();
  }

  override connect(
    socket: Socket | TLSSocket,
    options?: ConstructorParameters<typeof SMTPConnection>[2],
  ): void {
    this.beforeConnect();
    const connection = new Connection(this, socket, options);
    connection.activeAt = this.now();
    this.connections.add(connection);
    this.bySession.set(connection.session, connection);
    connection.on('error', (error: Error) => this.emit('error', error));
    connection.init();
  }

  /** Sends the reason to the client of this session and ends the connection. */
  endSession(session: SMTPServerSession, text: string): void {
    this.bySession.get(session)?.send(CLOSING, text);
  }

  states(): ConnectionState[] {
    const now = this.now();
    return [...this.connections].flatMap(({ session, remoteAddress }) => {
      const connection = this.bySession.get(session);
      if (connection === undefined) return [];
      const { activeAt, hasSent } = connection;
      return [{ session, address: remoteAddress, idleMs: now - activeAt, hasSent }];
    });
  }

  /** Ends the connection of the lowest rank, of several the longest idle. Returns its session or null. */
  evictOne(rankOf: RankOf, { text }: Reply): SMTPServerSession | null {
    const ranked = this.states().flatMap((state) => {
      const rank = rankOf(state);
      return rank === null ? [] : [{ ...state, rank }];
    });
    const [found] = ranked.toSorted((a, b) => a.rank - b.rank || b.idleMs - a.idleMs);
    if (found === undefined) return null;
    this.bySession.get(found.session)?.evict(text);
    return found.session;
  }
}
