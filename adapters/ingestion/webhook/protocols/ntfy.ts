// Publishing as ntfy does: to a topic, as JSON to the root, or by GET. The topic is an intake's token; where
// a tool wants a topic of its own, the token is its access token or password. https://docs.ntfy.sh/publish/
import { isUtf8 } from 'node:buffer';
import { createHash } from 'node:crypto';
import { isBlank } from '#core/domain/blank.ts';
import { filled } from '#core/domain/filled.ts';
import type { HttpRequest, HttpResponse } from '#core/ports/adapter/http.ts';
import { QinboxError } from '#core/errors.ts';
import { isTokenForm } from '#core/domain/intake-token.ts';
import {
  FILE_BYTES,
  LEVELS,
  messageOf,
  PARAMETERS,
  SEQUENCE_NAMES,
  TEMPLATE_NAMES,
  templateOf,
} from '../presets/ntfy-message.ts';
import { entry, isObject, raw } from '../presets/read.ts';
import { DELAY_LONG, DELAY_SHORT, DELAY_UNCLEAR, dueTime } from './ntfy-delay.ts';
import { credentialOf, type Protocol, type Refusal } from './protocol.ts';
import { jsonOf, withJson } from './request-json.ts';
import { parameter } from './subscriber.ts';

/** What ntfy calls a file without a name. */
const UNNAMED_FILE = 'attachment';
const HOUR_SECONDS = 3600;
/** ntfy's own limit for a file, as it is shipped. */
const MAX_FILE_BYTES = 15 * 1024 * 1024;
/** ntfy's own codes for what is refused, by the HTTP status. https://docs.ntfy.sh/publish/#limitations */
const FAULTS: Readonly<Record<number, [code: number, error: string]>> = {
  401: [40101, 'unauthorized'],
  403: [40301, ''],
  429: [42903, ''],
  404: [40401, 'page not found'],
  413: [41301, 'attachment too large, or bandwidth limit reached'],
};
const JSON_TOO_LARGE = { code: 41303, http: 413, error: 'JSON body too large' };

const TEMPLATE_NOT_JSON = 'message body must be JSON if templating is enabled';
const BAD_PARAMETERS: Readonly<Record<string, number>> = {
  [DELAY_UNCLEAR]: 40004,
  [DELAY_SHORT]: 40005,
  [DELAY_LONG]: 40006,
  'invalid priority parameter': 40007,
  'invalid since parameter': 40008,
  [TEMPLATE_NOT_JSON]: 40042,
};

const isRoot = (path: string) => path === '/';
const topicOf = (request: HttpRequest) =>
  isRoot(request.path) ? raw(jsonOf(request), 'topic') : (request.params['topic'] ?? '');

/** `?auth=` is the header in base64 without padding, for what cannot set headers. */
export function authorizationOf({ headers, query }: HttpRequest): string | undefined {
  const { auth } = query;
  return headers['authorization'] ?? (auth && Buffer.from(auth, 'base64url').toString('utf8'));
}

/** The event that says that a message is over, by what its client calls. */
function endOf({ method, path, params }: HttpRequest): 'message_delete' | 'message_clear' | null {
  if (params['sequence'] === undefined) return null;
  if (method === 'DELETE') return 'message_delete';
  return /\/(?:clear|read)$/.test(path) ? 'message_clear' : null;
}

/** An id for a message without one, the same when it is sent again: by it the message can be deleted. */
function madeId({ body, dropped, headers, query }: HttpRequest): string {
  const said = PARAMETERS.map((name) => [headers[name], query[name]]);
  const sent = dropped === undefined ? body : String(dropped);
  return createHash('sha256').update(JSON.stringify(said)).update(sent).digest('hex').slice(0, 12);
}

/** The request with sequence, topic and end as fields of the message. A token is none of them. */
function withFields(request: HttpRequest): HttpRequest {
  const payload = isRoot(request.path) ? jsonOf(request) : undefined;
  const given = isRoot(request.path) ? raw(payload, 'topic') : topicOf(request);
  const topic = isTokenForm(given) ? '' : given;
  const end = endOf(request);
  const sequence = request.params['sequence'] ?? '';
  if (end !== null) return withJson(request, { event: end, topic, sequence_id: sequence });
  if (isObject(payload)) {
    const sequence_id =
      raw(payload, 'sequence_id') || parameter(request, ...SEQUENCE_NAMES) || madeId(request);
    return withJson(request, { ...payload, topic, sequence_id });
  }
  // A GET has no body, and clients send a type all the same.
  const body = request.method === 'GET' ? Buffer.alloc(0) : request.body;
  const known = sequence || parameter(request, ...SEQUENCE_NAMES) || madeId(request);
  return { ...request, body, headers: { ...request.headers, 'x-sequence-id': known, 'x-topic': topic } };
}

const isJson = ({ headers, path }: HttpRequest) =>
  isRoot(path) || /^application\/(?:.+\+)?json\b/i.test(headers['content-type'] ?? '');
const fileNameOf = (request: HttpRequest) => parameter(request, 'x-filename', 'filename', 'file', 'f');

/**
 * Whether a body that is too long to be kept is a file: its headers say what there is to say. JSON would say
 * it itself.
 */
function isFile(request: HttpRequest): boolean {
  return fileNameOf(request) !== '' || (!isJson(request) && parameter(request, ...TEMPLATE_NAMES) === '');
}

/** A file is any bytes, also where its client calls them a form, as `curl --data-binary` does. */
function withFile(request: HttpRequest): HttpRequest {
  if (request.dropped !== undefined) {
    if (!isFile(request)) throw new QinboxError('PAYLOAD_TOO_LARGE');
    const { 'content-encoding': _, 'content-type': __, ...headers } = request.headers;
    const filename = fileNameOf(request) || UNNAMED_FILE;
    return { ...request, headers: { ...headers, filename, [FILE_BYTES]: String(request.dropped) } };
  }
  if (fileNameOf(request) === '' || isUtf8(request.body) || request.headers['content-encoding'] !== undefined)
    return request;
  return { ...request, headers: { ...request.headers, 'content-type': 'application/octet-stream' } };
}

function priorityNumber(priority: string): number | null {
  const number = entry(LEVELS, priority.toLowerCase()) ?? Number(priority);
  return priority !== '' && Number.isInteger(number) && number >= 1 && number <= 5 ? number : null;
}

export const ntfyPublish: Protocol = {
  id: 'ntfy',
  title: 'ntfy',
  routes: [
    { methods: ['POST'], path: '/' },
    { methods: ['POST', 'PUT'], path: '/:topic', dropLimit: MAX_FILE_BYTES },
    { methods: ['GET', 'POST', 'PUT'], path: '/:topic/publish', dropLimit: MAX_FILE_BYTES },
    { methods: ['GET', 'POST', 'PUT'], path: '/:topic/send', dropLimit: MAX_FILE_BYTES },
    { methods: ['GET', 'POST', 'PUT'], path: '/:topic/trigger', dropLimit: MAX_FILE_BYTES },
    { methods: ['POST', 'PUT', 'DELETE'], path: '/:topic/:sequence', dropLimit: MAX_FILE_BYTES },
    { methods: ['PUT'], path: '/:topic/:sequence/clear' },
    { methods: ['PUT'], path: '/:topic/:sequence/read' },
    { methods: ['GET'], path: '/v1/health' },
  ],
  sharesAddresses: true,
  setting: ({ url, token }) => ({ address: `${url}/${token}` }),
  preset: 'ntfy',
  answer: ({ path }) => (path === '/v1/health' ? { status: 200, body: { healthy: true } } : null),
  token(request) {
    const topic = topicOf(request);
    return isTokenForm(topic) ? topic : credentialOf(authorizationOf(request));
  },
  prepare(request) {
    const authorization = authorizationOf(request);
    return withFile(
      withFields({ ...request, headers: { ...request.headers, ...filled({ authorization }) } }),
    );
  },
  check(body) {
    if (templateOf(body) !== '' && body.form !== 'json') return TEMPLATE_NOT_JSON;
    const { priority } = messageOf(body);
    return priority === '' || priorityNumber(priority.trim()) !== null ? null : 'invalid priority parameter';
  },
  due: async (body, now) => {
    const { delay } = messageOf(body);
    return delay.trim() === '' ? null : dueTime(delay, now);
  },
  accepted({ request, body, id, at }) {
    const message = messageOf(body);
    const time = Math.floor(at / 1000);
    const end = endOf(request);
    const topic = topicOf(request);
    if (end !== null) {
      const ended = { id: id.slice(0, 12), time, event: end, topic, sequence_id: message.sequence };
      return { status: 200, body: ended };
    }
    const text = isBlank(message.text) ? 'triggered' : message.text;
    const isMade = message.sequence === madeId(request);
    return {
      status: 200,
      body: {
        id: isMade ? message.sequence : id.slice(0, 12),
        time,
        expires: time + 24 * HOUR_SECONDS,
        event: 'message',
        topic,
        ...filled({
          title: message.title,
          message: text,
          priority: priorityNumber(message.priority.trim()),
          tags: message.tags.map((tag) => tag.trim()).filter((tag) => tag !== ''),
          click: message.click,
          sequence_id: isMade ? '' : message.sequence,
        }),
      },
    };
  },
  refused: refusalOf,
};

/** A refusal in ntfy's words. */
export function refusalOf({ request, status, reason }: Refusal): HttpResponse {
  if (status === 413 && !isFile(request)) return { status, body: JSON_TOO_LARGE };
  const known = BAD_PARAMETERS[reason];
  if (known !== undefined) return { status, body: { code: known, http: status, error: reason } };
  const [code, error] = FAULTS[status] ?? [status * 100 + (status >= 500 ? 1 : 0), reason];
  return { status, body: { code, http: status, error: error || reason } };
}
