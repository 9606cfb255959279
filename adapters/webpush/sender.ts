// Web Push: encrypts by RFC 8291, identifies itself by RFC 8292, sends by RFC 8030.
import { createECDH, createPrivateKey } from 'node:crypto';
import { encrypt } from 'http_ece';
import { SignJWT } from 'jose';
import type { PushKeys } from '#core/domain/push.ts';
import { retryAfter } from '#core/domain/retry-after.ts';
import type { Clock } from '#core/ports/clock.ts';
import type { Outgoing, OutgoingAnswer } from '#core/ports/outgoing.ts';
import type { PushIdentity, PushMessage, PushOutcome, PushSender } from '#core/ports/push-sender.ts';

const TIMEOUT_MS = 10_000;
/** How long a token is good; push services take at most 24 hours. */
const TOKEN_MS = 12 * 3_600_000;
/** A token is made anew so long before it ends. */
const MARGIN_MS = 3_600_000;
const MAX_TOKENS = 100;

interface Token {
  identity: string;
  text: Promise<string>;
  until: number;
}

export function createWebPushSender(outgoing: Outgoing, clock: Clock): PushSender {
  /** By the origin of the push service. */
  const tokens = new Map<string, Token>();

  function tokenFor(origin: string, { keys, subject }: PushIdentity): Promise<string> {
    const now = clock.now();
    const identity = `${keys.publicKey} ${subject}`;
    const known = tokens.get(origin);
    if (known !== undefined && known.identity === identity && isFresh(known, now)) return known.text;
    // Endpoints are of a few push services; somebody who invents origins makes the others be made anew.
    if (tokens.size >= MAX_TOKENS) tokens.clear();
    const until = now + TOKEN_MS;
    const text = sign(origin, { keys, subject }, until);
    tokens.set(origin, { identity, text, until });
    return text;
  }

  async function request({ subscription, payload, ...message }: PushMessage, identity: PushIdentity) {
    const { endpoint, p256dh, auth } = subscription;
    const key = createECDH('prime256v1');
    key.generateKeys();
    const token = await tokenFor(new URL(endpoint).origin, identity);
    return {
      url: endpoint,
      body: encrypt(Buffer.from(payload), {
        version: 'aes128gcm',
        dh: p256dh,
        privateKey: key,
        authSecret: auth,
      }),
      headers: {
        'content-type': 'application/octet-stream',
        'content-encoding': 'aes128gcm',
        authorization: `vapid t=${token}, k=${identity.keys.publicKey}`,
        ttl: String(message.ttlSeconds),
        urgency: message.urgency,
        ...(message.topic === null ? {} : { topic: message.topic }),
      },
      timeoutMs: TIMEOUT_MS,
    };
  }

  return {
    async send(message, identity) {
      try {
        return outcomeOf(await outgoing.post(await request(message, identity)), clock.now());
      } catch (error) {
        return { kind: 'refused', reason: error instanceof Error ? error.message : 'cannot be encrypted' };
      }
    },
  };
}

/** Also after a clock that was ahead is set back. */
function isFresh({ until }: Token, now: number): boolean {
  return now < until - MARGIN_MS && until <= now + TOKEN_MS;
}

function sign(origin: string, { keys, subject }: PushIdentity, until: number): Promise<string> {
  return new SignJWT()
    .setProtectedHeader({ alg: 'ES256', typ: 'JWT' })
    .setAudience(origin)
    .setExpirationTime(Math.floor(until / 1000))
    .setSubject(subject)
    .sign(createPrivateKey({ key: jwkOf(keys), format: 'jwk' }));
}

/** The coordinates of a point follow one byte that says that it is not compressed (SEC 1, 2.3.3). */
function jwkOf({ publicKey, privateKey }: PushKeys) {
  const point = Buffer.from(publicKey, 'base64url');
  const [x, y] = [point.subarray(1, 33), point.subarray(33)].map((part) => part.toString('base64url'));
  return { kty: 'EC', crv: 'P-256', x: x ?? '', y: y ?? '', d: privateKey };
}

function outcomeOf(answer: OutgoingAnswer, now: number): PushOutcome {
  if (answer.kind === 'refused') return answer;
  if (answer.kind === 'failed') return { kind: 'later', retryAfterMs: null, reason: answer.reason };
  const { status, headers } = answer;
  const reason = `status ${status}`;
  if (status >= 200 && status < 300) return { kind: 'sent' };
  if (status === 404 || status === 410) return { kind: 'gone' };
  if (status === 429 || status >= 500) {
    const at = retryAfter(headers['retry-after'], now);
    return { kind: 'later', retryAfterMs: at === null ? null : at - now, reason };
  }
  return { kind: 'refused', reason };
}
