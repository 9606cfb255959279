// The two tokens of a session. Access tokens are JWTs (RFC 7519, HS256) that any process can check by itself; refresh
// tokens are opaque, derived from the signing secret, and only their hash is kept.
import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import { errors, jwtVerify, SignJWT } from 'jose';
import { ACCESS_TOKEN_TTL_MS } from '../domain/account.ts';
import { hashSecret } from '../domain/api-key.ts';
import { QinboxError } from '../errors.ts';

const ISSUER = 'qinbox';
const REFRESH_PREFIX = 'qr_';

/** What a verified access token says. `expiresAt` in milliseconds. */
export interface AccessClaims {
  userId: string;
  sessionId: string;
  expiresAt: number;
}

export type Tokens = ReturnType<typeof createTokens>;

/**
 * `secrets`: the first signs, all verify, so that a secret can be replaced without signing anyone out. Each at least
 * 32 characters.
 */
export function createTokens(secrets: readonly string[]) {
  const signing = secrets[0];
  if (signing === undefined) throw new Error('a signing secret is needed');
  const keys = new Map(secrets.map((secret) => [keyId(secret), new TextEncoder().encode(secret)]));
  const signingKid = keyId(signing);
  const signingKey = keys.get(signingKid) as Uint8Array;

  return {
    /** A JWT good for 15 minutes, with the signing key's id in its header. */
    signAccess(userId: string, sessionId: string, now: number): Promise<string> {
      return new SignJWT({ sid: sessionId })
        .setProtectedHeader({ alg: 'HS256', kid: signingKid, typ: 'JWT' })
        .setIssuer(ISSUER)
        .setSubject(userId)
        .setIssuedAt(Math.floor(now / 1000))
        .setExpirationTime(Math.floor((now + ACCESS_TOKEN_TTL_MS) / 1000))
        .sign(signingKey);
    },

    /** Throws UNAUTHORIZED for anything that is not one of ours, TOKEN_EXPIRED for one that was. */
    async verifyAccess(token: string, now: number): Promise<AccessClaims> {
      try {
        const { payload } = await jwtVerify(token, ({ kid }) => knownKey(kid), {
          algorithms: ['HS256'],
          issuer: ISSUER,
          currentDate: new Date(now),
          requiredClaims: ['sub', 'exp', 'sid'],
        });
        const { sub, exp, sid } = payload;
        if (typeof sub !== 'string' || typeof exp !== 'number' || typeof sid !== 'string')
          throw new QinboxError('UNAUTHORIZED');
        return { userId: sub, sessionId: sid, expiresAt: exp * 1000 };
      } catch (error) {
        if (error instanceof errors.JWTExpired)
          throw new QinboxError('TOKEN_EXPIRED', undefined, { cause: error });
        throw new QinboxError('UNAUTHORIZED', 'This access token is not valid. Sign in again.', {
          cause: error,
        });
      }
    },

    /** The refresh token of a session's `generation`. The same one each time, so that a late tab can be given it again. */
    refreshToken(sessionId: string, generation: number): string {
      const proof = createHmac('sha256', signing)
        .update(`refresh\n${sessionId}\n${generation}`)
        .digest('base64url');
      return `${REFRESH_PREFIX}${sessionId}.${proof}`;
    },

    /** A ticket for the live socket: a claim of ours that any process can check. `subject` comes back from {@link readTicket}. */
    signTicket(subject: object, expiresAt: number): string {
      const body = Buffer.from(
        JSON.stringify({ subject, expiresAt, nonce: randomBytes(9).toString('base64url') }),
      ).toString('base64url');
      return `${body}.${ticketProof(signing, body)}`;
    },

    /** What a ticket says, or null when it is not ours or too old. `nonce` tells tickets apart, so that each works once. */
    readTicket(ticket: string, now: number): { subject: unknown; nonce: string } | null {
      const [body, proof] = ticket.split('.');
      if (
        body === undefined ||
        proof === undefined ||
        !secrets.some((secret) => sameText(ticketProof(secret, body), proof))
      )
        return null;
      const { subject, expiresAt, nonce } = JSON.parse(Buffer.from(body, 'base64url').toString()) as {
        subject: unknown;
        expiresAt: number;
        nonce: string;
      };
      return now < expiresAt ? { subject, nonce } : null;
    },

    /** The session that a refresh token names, and the hash it is checked by; null when it has not the form of one. */
    readRefresh(token: string): { sessionId: string; hash: string } | null {
      const [sessionId, proof, ...rest] = token.startsWith(REFRESH_PREFIX)
        ? token.slice(REFRESH_PREFIX.length).split('.')
        : [];
      if (sessionId === undefined || sessionId === '' || proof === undefined || rest.length > 0) return null;
      return { sessionId, hash: hashSecret(token) };
    },
  };

  function knownKey(kid: string | undefined): Uint8Array {
    const key = kid === undefined ? undefined : keys.get(kid);
    if (key === undefined) throw new QinboxError('UNAUTHORIZED');
    return key;
  }
}

// Names a secret without telling anything of it.
function keyId(secret: string): string {
  return createHmac('sha256', secret).update('qinbox key id').digest('base64url').slice(0, 10);
}

function ticketProof(secret: string, body: string): string {
  return createHmac('sha256', secret).update(`ticket\n${body}`).digest('base64url');
}

function sameText(a: string, b: string): boolean {
  const left = Buffer.from(a);
  const right = Buffer.from(b);
  return left.length === right.length && timingSafeEqual(left, right);
}
