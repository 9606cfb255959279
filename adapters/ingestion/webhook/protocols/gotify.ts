// Gotify's way of pushing a message. https://gotify.net/docs/pushmsg and https://gotify.net/api-docs
import type { HttpRequest, HttpResponse } from '#core/ports/adapter/http.ts';
import { field, isObject, number, raw } from '../presets/read.ts';
import { numberOf, numberOfIntake } from './gotify-message-out.ts';
import { credentialOf, type Protocol } from './protocol.ts';

/** The version whose interface this is; clients look at it. */
const VERSION = { version: '2.6.1', commit: '', buildDate: '' };
const INFORMATION = { version: VERSION.version, oidc: false, register: false };
const NAMES: Readonly<Record<number, string>> = {
  400: 'Bad Request',
  401: 'Unauthorized',
  403: 'Forbidden',
  404: 'Not Found',
  413: 'Request Entity Too Large',
  415: 'Unsupported Media Type',
  429: 'Too Many Requests',
  503: 'Service Unavailable',
};
const NO_TOKEN = 'you need to provide a valid access token or user credentials to access this api';

/** Where clients of Gotify carry a token or a key. */
export function keyOf({ query, headers }: HttpRequest): string {
  return query['token'] ?? headers['x-gotify-key'] ?? credentialOf(headers['authorization']);
}

/** Gotify takes none and an empty field of a form for 0; also a number that was written as text, here. */
function isPriority(given: unknown): boolean {
  if (given === undefined || given === null || given === '') return true;
  return Number.isSafeInteger(number({ given }, 'given'));
}

export const gotifyMessage: Protocol = {
  id: 'gotify',
  title: 'Gotify',
  routes: ['', '/gotify'].flatMap((prefix) => [
    { methods: ['POST'], path: `${prefix}/message` },
    { methods: ['GET'], path: `${prefix}/version` },
    { methods: ['GET'], path: `${prefix}/gotifyinfo` },
  ]),
  preset: 'gotify',
  setting: ({ url, short }) => ({ address: url, key: short }),
  answer({ method, path }) {
    if (method !== 'GET') return null;
    return { status: 200, body: path.endsWith('/version') ? VERSION : INFORMATION };
  },
  token: keyOf,
  // Its parameters may all stand in the query.
  prepare(request) {
    if (request.body.length > 0) return request;
    const { token: _, ...fields } = request.query;
    return {
      ...request,
      headers: { ...request.headers, 'content-type': 'application/x-www-form-urlencoded' },
      body: Buffer.from(new URLSearchParams(fields).toString()),
    };
  },
  check({ value }) {
    if (!isObject(value) || raw(value, 'message') === '') return "Field 'message' is required";
    return isPriority(value['priority']) ? null : "Field 'priority' must be a whole number";
  },
  accepted: ({ body: { value }, about, intakeId, at }) => ({
    status: 200,
    body: {
      // Those of the lists and the stream.
      id: numberOf(about),
      appid: numberOfIntake(intakeId),
      message: raw(value, 'message'),
      title: raw(value, 'title'),
      priority: number(value, 'priority') ?? 0,
      ...(isObject(field(value, 'extras')) ? { extras: field(value, 'extras') } : {}),
      date: new Date(at).toISOString(),
    },
  }),
  // A token that is unknown reads like any that is not valid.
  refused: ({ status, reason }) => refusalOf(status === 404 ? 401 : status, reason),
};

/** A refusal in Gotify's words. */
export function refusalOf(status: number, reason: string): HttpResponse {
  const errorDescription = status === 401 ? NO_TOKEN : reason;
  return { status, body: { error: NAMES[status] ?? 'Error', errorCode: status, errorDescription } };
}
