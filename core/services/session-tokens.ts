// A session's tokens: access tokens that any process verifies by itself, opaque refresh tokens derived from
// the signing secret and stored as a hash, and tickets for the live socket.
import { createHmac, randomBytes } from 'node:crypto';
import { ACCESS_TOKEN_TTL_MS } from '../domain/account.ts';
import { hashSecret, isSameSecret } from '../domain/api-key.ts';
import type { AccessClaims, AccessTokens } from '../ports/access-tokens.ts';

const REFRESH_PREFIX = 'qr_';
/** Session, generation (not in those of before it was told), HMAC-SHA256 in base64url. */
const REFRESH_FORM = /^qr_([^.]+)\.(?:([1-9]\d{0,8})\.)?([\w-]{43})$/;

export type Tokens = ReturnType<typeof createTokens>;

/** `secrets`: the first makes tokens, all recognise them. */
export function createTokens(secrets: readonly [string, ...string[]], accessTokens: AccessTokens) {
  const [signing] = secrets;

  return {
    /** An access token good for 15 minutes. */
    signAccess(userId: string, sessionId: string, now: number): Promise<string> {
      return accessTokens.sign({ userId, sessionId, issuedAt: now, expiresAt: now + ACCESS_TOKEN_TTL_MS });
    },

    /** Throws UNAUTHORIZED for anything that is not one of ours, TOKEN_EXPIRED for one that was. */
    verifyAccess(token: string, now: number): Promise<AccessClaims> {
      return accessTokens.verify(token, now);
    },

    /** A ticket for the live socket, which any process can verify. `readTicket` answers its `subject`. */
    signTicket(subject: object, expiresAt: number): string {
      const nonce = randomBytes(9).toString('base64url');
      const body = Buffer.from(JSON.stringify({ subject, expiresAt, nonce })).toString('base64url');
      return `${body}.${ticketProof(signing, body)}`;
    },

    /** A ticket's content, or null when it is not ours or too old. `nonce` makes each work once. */
    readTicket(ticket: string, now: number): { subject: unknown; nonce: string } | null {
      const [body, proof] = ticket.split('.');
      if (body === undefined || proof === undefined) return null;
      if (!secrets.some((secret) => isSameSecret(ticketProof(secret, body), proof))) return null;
      const { subject, expiresAt, nonce } = JSON.parse(Buffer.from(body, 'base64url').toString()) as {
        subject: unknown;
        expiresAt: number;
        nonce: string;
      };
      return now < expiresAt ? { subject, nonce } : null;
    },

    /** A session's refresh token of `generation`: always the same, so that a late tab can get it again. */
    refreshToken(sessionId: string, generation: number): string {
      return `${REFRESH_PREFIX}${sessionId}.${generation}.${refreshProof(signing, sessionId, generation)}`;
    },

    /** The session that a refresh token names, and its hash; null for another form. Proves nothing yet. */
    readRefresh(token: string): { sessionId: string; hash: string } | null {
      const parts = partsOfRefresh(token);
      return parts === null ? null : { sessionId: parts.sessionId, hash: hashSecret(token) };
    },

    /** Whether the token was made here for this session, at `generation` or before. */
    isAuthenticRefresh(token: string, generation: number): boolean {
      const parts = partsOfRefresh(token);
      if (parts === null) return false;
      const { sessionId, proof } = parts;
      // Tokens from before generations were named are known while they are current or previous.
      const made = parts.generation === null ? [generation, generation - 1] : [parts.generation];
      return made.some(
        (each) =>
          each >= 1 &&
          each <= generation &&
          secrets.some((secret) => isSameSecret(refreshProof(secret, sessionId, each), proof)),
      );
    },
  };
}

function partsOfRefresh(
  token: string,
): { sessionId: string; generation: number | null; proof: string } | null {
  const match = REFRESH_FORM.exec(token);
  if (match === null) return null;
  const [, sessionId = '', generation, proof = ''] = match;
  return { sessionId, generation: generation === undefined ? null : Number(generation), proof };
}

function refreshProof(secret: string, sessionId: string, generation: number): string {
  return createHmac('sha256', secret).update(`refresh\n${sessionId}\n${generation}`).digest('base64url');
}

function ticketProof(secret: string, body: string): string {
  return createHmac('sha256', secret).update(`ticket\n${body}`).digest('base64url');
}
