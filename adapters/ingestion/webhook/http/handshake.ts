// Senders that first ask whether an address is theirs to write to: each is answered in its own way, no task
// is made, and the delivery log says so. What is echoed is a short text without control characters, never
// HTML. A request that nothing proves gets no more than its own text back: nothing is signed for it.
import { createHmac } from 'node:crypto';
import type { HttpRequest, HttpResponse } from '#core/ports/adapter/http.ts';
import type { IntakeWithSecrets } from '#core/ports/adapter/intake.ts';
import { field, isObject, items, raw } from '../presets/read.ts';
import { sameText, secretsOf } from '../verify/checks.ts';

export interface Handshake {
  answer: HttpResponse;
  /** For the owner. */
  reason: string;
}

/** A sender that asks and is not to be let in, with a sentence for the owner. */
export interface FalseHandshake {
  refused: string;
}

/** Microsoft's tokens are the longest. */
const ECHO = /^[^\p{Cc}\p{Cs}]{1,2000}$/u;
/** Words that cannot be the body or the time of a delivery: a signature over one proves nothing else. */
const ZOOM_TOKEN = /^[\w-]{10,100}$/;
const HEADER_VALUE = /^[\w.=+/-]{8,300}$/;
const SAFE = { 'x-content-type-options': 'nosniff', 'cache-control': 'no-store' };

const echo = (text: string): HttpResponse => ({
  status: 200,
  headers: { ...SAFE, 'content-type': 'text/plain; charset=utf-8' },
  body: text,
});
const json = (body: object): HttpResponse => ({ status: 200, headers: SAFE, body });

/** What is asked for by HEAD, in the query or in a header: it carries no delivery. */
export function askedOf(request: HttpRequest, intake: IntakeWithSecrets): Handshake | FalseHandshake | null {
  const { method, headers, body } = request;
  const query = (name: string) => echoable(request.query[name]);
  // Trello and Mandrill look whether the address is there.
  if (method === 'HEAD')
    return { answer: { status: 200, headers: SAFE }, reason: 'It was looked at (HEAD).' };
  if (method === 'POST' && body.length === 0) {
    const token = query('validationToken') ?? query('validationtoken');
    if (token !== null) return { answer: echo(token), reason: 'Microsoft asked for its validation token.' };
  }
  if (method !== 'GET') return null;
  const okta = echoable(headers['x-okta-verification-challenge']);
  if (okta !== null)
    return { answer: json({ verification: okta }), reason: 'Okta asked for its verification challenge.' };
  if (request.query['hub.mode'] !== undefined) return hub(request, intake);
  const challenge = query('challenge');
  return challenge === null ? null : { answer: echo(challenge), reason: 'It was asked for a challenge.' };
}

/** Meta (WhatsApp, Facebook, Instagram) proves itself by a word that its user has chosen. */
function hub({ params, query }: HttpRequest, intake: IntakeWithSecrets): Handshake | FalseHandshake | null {
  const challenge = echoable(query['hub.challenge']);
  if (query['hub.mode'] !== 'subscribe' || challenge === null) return null;
  const given = query['hub.verify_token'] ?? '';
  const known = [params['token'] ?? '', ...secretsOf(intake)];
  return known.some((word) => word !== '' && sameText(word, given))
    ? { answer: echo(challenge), reason: 'Meta asked for its challenge.' }
    : {
        refused:
          'The verify token is neither the last part of the address nor the secret: use one of them as verify token.',
      };
}

/** What is asked for by a proven delivery; null for one that says something. */
export function askedByDelivery(
  { headers }: HttpRequest,
  value: unknown,
  intake: IntakeWithSecrets,
): Handshake | null {
  const asana = headers['x-hook-secret'];
  if (asana !== undefined && HEADER_VALUE.test(asana))
    return {
      answer: { status: 200, headers: { ...SAFE, 'x-hook-secret': asana } },
      reason: 'Asana said hello.',
    };
  if (isObject(value)) return zoom(value, intake) ?? challenged(value);
  const code = echoable(raw(validation(value), 'data.validationCode'));
  return code === null
    ? null
    : {
        answer: json({ validationResponse: code }),
        reason: 'Azure Event Grid asked for its validation code.',
      };
}

/** Slack's events, Lark and monday.com: nothing but a challenge, or what says that it is one. */
function challenged(value: Readonly<Record<string, unknown>>): Handshake | null {
  const challenge = echoable(typeof value['challenge'] === 'string' ? value['challenge'] : undefined);
  const isOne = value['type'] === 'url_verification' || Object.keys(value).length === 1;
  return challenge === null || !isOne
    ? null
    : { answer: json({ challenge }), reason: 'It was asked for a challenge.' };
}

/** Zoom wants its token signed by the secret, which only an intake that has proven the request does. */
function zoom(value: unknown, intake: IntakeWithSecrets): Handshake | null {
  const plainToken = raw(value, 'payload.plainToken');
  const [secret] = secretsOf(intake);
  if (raw(value, 'event') !== 'endpoint.url_validation' || !ZOOM_TOKEN.test(plainToken)) return null;
  if (secret === undefined) return null;
  const encryptedToken = createHmac('sha256', secret).update(plainToken).digest('hex');
  return {
    answer: json({ plainToken, encryptedToken }),
    reason: 'Zoom asked whether this address has its secret.',
  };
}

function validation(value: unknown): unknown {
  return items({ value }, 'value')
    .slice(0, 10)
    .find((one) => field(one, 'eventType') === 'Microsoft.EventGrid.SubscriptionValidationEvent');
}

function echoable(text: string | undefined): string | null {
  return text !== undefined && ECHO.test(text) ? text : null;
}
