// Bolt's receiver on the program's own server: one address, verified over the bytes as they came.
import type { App, Receiver } from '@slack/bolt';
import { filled } from '#core/domain/filled.ts';
import { ERROR_TABLE } from '#core/errors.ts';
import type { AdapterContext } from '#core/ports/adapter/context.ts';
import type { HttpResponse, HttpRequest } from '#core/ports/adapter/http.ts';
import type { Dispatcher } from './dispatcher.ts';
import { isFromSlack } from './signature.ts';

export const EVENTS_PATH = '/slack/events';
const BODY_LIMIT_BYTES = 1024 * 1024;

interface Deps extends Pick<AdapterContext, 'http' | 'clock' | 'log'> {
  signingSecret: string;
  dispatcher: Dispatcher;
}

export function createHttpReceiver({ http, clock, log, signingSecret, dispatcher }: Deps): Receiver {
  let app: App | undefined;

  http.on({ methods: ['POST'], path: EVENTS_PATH, bodyLimit: BODY_LIMIT_BYTES }, async (request) => {
    const body = read(request);
    // Slack checks certificates with an unsigned form.
    if (body?.['ssl_check'] === '1') return { status: 200, body: '' };
    if (!isFromSlack(request, signingSecret, clock.now())) {
      log.info({ reqId: request.requestId }, 'a request to Slack’s address is not proven');
      return refusal(request, 'UNAUTHORIZED');
    }
    if (body === null || app === undefined) return refusal(request, 'VALIDATION_ERROR');
    if (body['type'] === 'url_verification') return { status: 200, body: { challenge: body['challenge'] } };

    const { 'x-slack-retry-num': retryNum, 'x-slack-retry-reason': retryReason } = request.headers;
    const answered = await dispatcher.dispatch(app, {
      body,
      ...filled({ retryNum: retryNum === undefined ? null : Number(retryNum), retryReason }),
      ack: () => Promise.resolve(),
    });
    if (!answered.accepted) return refusal(request, 'SERVICE_UNAVAILABLE');
    const { response } = answered;
    return {
      status: 200,
      body: typeof response === 'string' || typeof response === 'object' ? (response ?? '') : '',
    };
  });

  return {
    init: (bolt) => {
      app = bolt;
    },
    start: () => Promise.resolve(),
    stop: () => Promise.resolve(),
  };
}

/** Reads JSON, or a form that has JSON in `payload` or is the message itself; null for anything else. */
function read({ headers, body }: HttpRequest): Record<string, unknown> | null {
  const text = body.toString('utf8');
  const isForm = (headers['content-type'] ?? '').startsWith('application/x-www-form-urlencoded');
  try {
    if (!isForm) return object(JSON.parse(text));
    const form = Object.fromEntries(new URLSearchParams(text));
    return form['payload'] === undefined ? form : object(JSON.parse(form['payload']));
  } catch {
    return null;
  }
}

function object(value: unknown): Record<string, unknown> | null {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
    ? (value as Record<string, unknown>)
    : null;
}

// Says as little as possible to a sender that is not Slack.
function refusal(
  { requestId }: HttpRequest,
  code: 'UNAUTHORIZED' | 'VALIDATION_ERROR' | 'SERVICE_UNAVAILABLE',
): HttpResponse {
  const { http: status } = ERROR_TABLE[code];
  const error = code === 'UNAUTHORIZED' ? 'This is for Slack alone.' : ERROR_TABLE[code].text;
  return { status, body: { success: false, error, code, requestId } };
}
