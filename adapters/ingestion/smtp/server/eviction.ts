// Frees connections: idle ones are ended when others need them, slow ones when their time is over.
import type { SMTPServerSession } from 'smtp-server';
import { networkOf } from '#core/domain/network.ts';
import type { ConnectionState, MailServer } from './connection.ts';
import { REPLIES } from './reply.ts';
import { hasBegun, isSignedIn, type Transactions } from './transactions.ts';

/** Sessions with a message in flight, and when its last byte is due; null once it is here. */
export type InFlight = ReadonlyMap<SMTPServerSession, number | null>;

export function createEviction(server: MailServer, transactions: Transactions, inFlight: InFlight) {
  /** Null (not evicted) for a message in flight, a password or a known recipient. Anyone can begin a mail. */
  function rankOf({ session }: ConnectionState): number | null {
    if (isSignedIn(session) || inFlight.has(session)) return null;
    if (!hasBegun(session)) return 0;
    return transactions.stateOf(session).recipients.size > 0 ? null : 1;
  }

  function evict(isAsked: (connection: ConnectionState) => boolean): boolean {
    const ended = server.evictOne(
      (connection) => (isAsked(connection) ? rankOf(connection) : null),
      REPLIES.evicted,
    );
    if (ended !== null) transactions.disconnect(ended);
    return ended !== null;
  }

  return {
    /** Ends the longest idle connection; false when all are in use. */
    evictOne: () => evict(() => true),
    /** The same among the other connections of this address. */
    evictNeighbour: (session: SMTPServerSession) =>
      evict(
        (other) => other.session !== session && networkOf(other.address) === networkOf(session.remoteAddress),
      ),
    /** Ends messages that are overdue and connections without a message for `maxIdleMs`. */
    endSlow(maxIdleMs: number): void {
      const now = server.now();
      for (const [session, due] of inFlight) {
        if (due !== null && due <= now) server.endSession(session, REPLIES.tooSlow.text);
      }
      for (const connection of server.states()) {
        if (!connection.hasSent && connection.idleMs >= maxIdleMs && rankOf(connection) === 0)
          server.endSession(connection.session, REPLIES.idle.text);
      }
    },
  };
}
