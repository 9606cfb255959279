// One client's connection: smtp-server's own, with our enhanced status codes, and an end to clients that only make errors, only make
// conversation, or only keep a place that others need.
import type { Socket } from 'node:net';
import type { TLSSocket } from 'node:tls';
import { SMTPServer, type SMTPServerOptions, type SMTPServerSession } from 'smtp-server';
import { SMTPConnection } from 'smtp-server/lib/smtp-connection.js';
import { REPLIES, type Reply } from './reply.ts';

/** Since the last message: as many as any real sender makes in an hour of confusion. */
const MAX_ERRORS = 20;
const MAX_REPLIES = 250;
const ENHANCED = /^[245]\.\d{1,3}\.\d{1,3} /;
const CLOSING = 421;

class Connection extends SMTPConnection {
  /** When it last was answered: every command is. On the clock of the server. */
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

  /** Says why, and is gone as soon as that is sent: a client that never closes its side would hold the socket. */
  expel(text: string): void {
    this.send(CLOSING, text);
    this._socket.destroySoon();
  }
}

/** How a connection stands. Of its session only the id is sure before the greeting. */
export interface Standing {
  session: SMTPServerSession;
  address: string;
  idleMs: number;
  /** Whether it has sent a whole message. */
  hasSent: boolean;
}

/** How dear a connection is: the lowest make room first; null for those that never do. */
export type RankOf = (connection: Standing) => number | null;

/** smtp-server with connections of our own. */
export class MailServer extends SMTPServer {
  private readonly bySession = new WeakMap<SMTPServerSession, Connection>();
  private readonly clock: () => number;
  /** Called before each new connection. */
  private readonly beforeConnect: () => void;

  /** `now` in milliseconds on a clock that never jumps. */
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

  /** Tells the client of this session that the connection ends, and ends it. */
  dismiss(session: SMTPServerSession, text: string): void {
    this.bySession.get(session)?.send(CLOSING, text);
  }

  /** The connections as they stand. */
  standing(): Standing[] {
    const now = this.now();
    return [...this.connections].flatMap(({ session, remoteAddress }) => {
      const connection = this.bySession.get(session);
      if (connection === undefined) return [];
      const { activeAt, hasSent } = connection;
      return [{ session, address: remoteAddress, idleMs: now - activeAt, hasSent }];
    });
  }

  /** Ends the least dear connection, of several the one that was idle longest. Its session, or null when all are dear. */
  makeRoom(rankOf: RankOf, { text }: Reply): SMTPServerSession | null {
    let found: { rank: number; idleMs: number; session: SMTPServerSession } | null = null;
    for (const connection of this.standing()) {
      const rank = rankOf(connection);
      if (rank === null) continue;
      const { session, idleMs } = connection;
      if (found === null || rank < found.rank || (rank === found.rank && idleMs > found.idleMs))
        found = { rank, idleMs, session };
    }
    if (found === null) return null;
    this.bySession.get(found.session)?.expel(text);
    return found.session;
  }
}
