// One client's connection: smtp-server's own, with our enhanced status codes, and an end to clients that only make errors or
// only make conversation.
import type { Socket } from 'node:net';
import type { TLSSocket } from 'node:tls';
import { SMTPServer, type SMTPServerSession } from 'smtp-server';
import { SMTPConnection } from 'smtp-server/lib/smtp-connection.js';
import { REPLIES } from './reply.ts';

/** Since the last message: as many as any real sender makes in an hour of confusion. */
const MAX_ERRORS = 20;
const MAX_REPLIES = 250;
const ENHANCED = /^[245]\.\d{1,3}\.\d{1,3} /;
const CLOSING = 421;

class Connection extends SMTPConnection {
  private errors = 0;
  private replies = 0;

  override send(code: number, data?: string | string[] | null, context?: string | false): void {
    const isOurs = typeof data === 'string' && ENHANCED.test(data);
    super.send(code, data, isOurs ? false : context);
    if (code === CLOSING) return;
    if (context === 'DATA_OK') this.errors = this.replies = 0;
    if (code >= 500) this.errors++;
    this.replies++;
    if (this.errors > MAX_ERRORS || this.replies > MAX_REPLIES)
      this.send(CLOSING, REPLIES.tooManyErrors.text);
  }
}

/** smtp-server with connections of our own. */
export class MailServer extends SMTPServer {
  private readonly bySession = new WeakMap<SMTPServerSession, SMTPConnection>();

  override connect(
    socket: Socket | TLSSocket,
    options?: ConstructorParameters<typeof SMTPConnection>[2],
  ): void {
    const connection = new Connection(this, socket, options);
    this.connections.add(connection);
    this.bySession.set(connection.session, connection);
    connection.on('error', (error: Error) => this.emit('error', error));
    connection.init();
  }

  /** Tells the client of this session that the connection ends, and ends it. */
  dismiss(session: SMTPServerSession, text: string): void {
    this.bySession.get(session)?.send(CLOSING, text);
  }
}
