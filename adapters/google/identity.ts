// Google's ID tokens, checked against Google's published keys (OpenID Connect Core 1.0, 3.1.3.7).
import { createRemoteJWKSet, errors, jwtVerify, type JWTPayload } from 'jose';
import { isSameSecret } from '#core/domain/api-key.ts';
import { QinboxError, unavailable } from '#core/errors.ts';
import type { Identity, IdentityProvider } from '#core/ports/identity.ts';

/** How long the key set may take to arrive. */
const TIMEOUT_MS = 5000;
/** After a refetch for an unknown key id, how long until the next one. */
const COOLDOWN_MS = 10_000;
const CLOCK_TOLERANCE_SECONDS = 5;

interface GoogleOptions {
  clientId: string;
  issuer: string;
  jwksUrl: string;
}

/** Checks ID tokens for `clientId`. Keys (RS256) are fetched from `jwksUrl` when they are first needed. */
export function createGoogleIdentity({ clientId, issuer, jwksUrl }: GoogleOptions): IdentityProvider {
  const keys = createRemoteJWKSet(new URL(jwksUrl), {
    timeoutDuration: TIMEOUT_MS,
    cooldownDuration: COOLDOWN_MS,
  });
  return {
    async verify(idToken, nonce, now) {
      let payload: JWTPayload;
      try {
        ({ payload } = await jwtVerify(idToken, keys, {
          algorithms: ['RS256'],
          audience: clientId,
          // Google's documentation allows both spellings.
          issuer: [issuer, issuer.replace(/^https:\/\//, '')],
          currentDate: new Date(now),
          clockTolerance: CLOCK_TOLERANCE_SECONDS,
          requiredClaims: ['sub', 'exp', 'email'],
        }));
      } catch (error) {
        if (isTokenFault(error)) throw refused('Google sign-in failed. Please try again.', error);
        throw unavailable('sign-in service', error);
      }
      if (!isIssuedTo(payload, clientId)) throw refused('Google sign-in failed. Please try again.');
      if (!isAnswerTo(nonce, payload)) throw startedElsewhere();
      return toIdentity(payload);
    },
  };
}

// All other errors are the provider's or the network's, and may pass.
function isTokenFault(error: unknown): boolean {
  return (
    error instanceof errors.JWTInvalid ||
    error instanceof errors.JWTExpired ||
    error instanceof errors.JWTClaimValidationFailed ||
    error instanceof errors.JWSInvalid ||
    error instanceof errors.JWSSignatureVerificationFailed ||
    error instanceof errors.JOSEAlgNotAllowed ||
    error instanceof errors.JOSENotSupported ||
    error instanceof errors.JWKSNoMatchingKey ||
    error instanceof errors.JWKSMultipleMatchingKeys
  );
}

// `azp`, where there is one, must be this client; it must be there when the token has other audiences too.
function isIssuedTo({ aud, azp }: JWTPayload, clientId: string): boolean {
  if (azp !== undefined) return azp === clientId;
  return !Array.isArray(aud) || aud.every((audience) => audience === clientId);
}

/** A token with a nonce is for the sign-in alone that asked for it so; one without for who sends it. */
function isAnswerTo(wanted: string | null, { nonce }: JWTPayload): boolean {
  if (wanted === null) return nonce === undefined;
  return typeof nonce === 'string' && isSameSecret(nonce, wanted);
}

function toIdentity({ email, email_verified: verified, name, picture }: JWTPayload): Identity {
  if (typeof email !== 'string' || !email.includes('@'))
    throw refused('This Google account has no e-mail address.');
  if (verified !== true && verified !== 'true')
    throw refused('The e-mail address of this Google account is not verified.');
  return {
    email,
    name: typeof name === 'string' && name.trim() !== '' ? name.trim().slice(0, 100) : null,
    avatarUrl: typeof picture === 'string' && picture.startsWith('https://') ? picture : null,
  };
}

/** A token that was taken from another sign-in. */
function startedElsewhere(): QinboxError {
  return refused(
    'This Google sign-in was not started by this page. Load the page again and sign in once more.',
  );
}

function refused(message: string, cause?: unknown): QinboxError {
  return new QinboxError('UNAUTHORIZED', message, { cause });
}
