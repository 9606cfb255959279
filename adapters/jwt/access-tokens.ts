// Access tokens as JSON Web Tokens (RFC 7519), signed with HMAC-SHA256, the signing key's id in the header.
import { createHmac } from 'node:crypto';
import { errors, jwtVerify, SignJWT } from 'jose';
import { QinboxError } from '#core/errors.ts';
import type { AccessTokens } from '#core/ports/access-tokens.ts';

const ALGORITHM = 'HS256';
const ISSUER = 'qinbox';

/** The first secret signs, all verify, so that one can be replaced. Each has at least 32 characters. */
export function createJwtAccessTokens(secrets: readonly [string, ...string[]]): AccessTokens {
  const keys = new Map(secrets.map((secret) => [keyId(secret), new TextEncoder().encode(secret)]));
  const [signing] = secrets;
  const signingKid = keyId(signing);
  const signingKey = new TextEncoder().encode(signing);

  function knownKey(kid: string | undefined): Uint8Array {
    const key = kid === undefined ? undefined : keys.get(kid);
    if (key === undefined) throw notOurs();
    return key;
  }

  return {
    sign({ userId, sessionId, issuedAt, expiresAt }) {
      return new SignJWT({ sid: sessionId })
        .setProtectedHeader({ alg: ALGORITHM, kid: signingKid, typ: 'JWT' })
        .setIssuer(ISSUER)
        .setSubject(userId)
        .setIssuedAt(Math.floor(issuedAt / 1000))
        .setExpirationTime(Math.floor(expiresAt / 1000))
        .sign(signingKey);
    },

    async verify(token, now) {
      try {
        const { payload } = await jwtVerify(token, ({ kid }) => knownKey(kid), {
          algorithms: [ALGORITHM],
          issuer: ISSUER,
          currentDate: new Date(now),
          requiredClaims: ['sub', 'iat', 'exp', 'sid'],
        });
        const { sub, iat, exp, sid } = payload;
        if (sub === undefined || iat === undefined || exp === undefined || typeof sid !== 'string')
          throw notOurs();
        return { userId: sub, sessionId: sid, issuedAt: iat * 1000, expiresAt: exp * 1000 };
      } catch (error) {
        if (error instanceof QinboxError) throw error;
        if (error instanceof errors.JWTExpired)
          throw new QinboxError('TOKEN_EXPIRED', undefined, { cause: error });
        throw notOurs(error);
      }
    },
  };
}

function notOurs(cause?: unknown): QinboxError {
  return new QinboxError('UNAUTHORIZED', 'This access token is not valid. Sign in again.', { cause });
}

// Names a secret without telling anything of it.
function keyId(secret: string): string {
  return createHmac('sha256', secret).update('qinbox key id').digest('base64url').slice(0, 10);
}
