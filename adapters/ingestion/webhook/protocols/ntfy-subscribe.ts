// Subscribing as ntfy's clients do: topics over HTTP or a WebSocket, with what was missed.
// https://docs.ntfy.sh/subscribe/api/
import { QinboxError } from '#core/errors.ts';
import type { FeedItem, FeedStart } from '#core/domain/feed.ts';
import type { Task } from '#core/domain/task.ts';
import type {
  HttpRequest,
  HttpResponse,
  StreamRequest,
  StreamResponse,
  TextStream,
} from '#core/ports/adapter/http.ts';
import type { Reader, Subscription } from '#core/ports/adapter/subscription.ts';
import { isTrue } from '../presets/ntfy-message.ts';
import { authorizationOf, refusalOf } from './ntfy.ts';
import { ENCODINGS, messageOf, signal, type NtfyMessage } from './ntfy-message-out.ts';
import { filterOf, topicsOf, type Topic } from './ntfy-topics.ts';
import { answerOr, credentialOf } from './protocol.ts';
import { itemsOf, parameter, type SubscriberDeps, type SubscriberProtocol } from './subscriber.ts';

/** Clients take a connection for dead that is silent for much longer. */
const KEEPALIVE_MS = 45_000;
/** Pages of any origin may subscribe: they bring their own credentials, and there are no cookies. */
const ANY_ORIGIN = { 'access-control-allow-origin': '*' };
const PREFLIGHT = {
  ...ANY_ORIGIN,
  'access-control-allow-methods': 'GET',
  'access-control-allow-headers': '*, authorization',
  'access-control-max-age': '600',
};
const UNITS: Readonly<Record<string, number>> = { ms: 1, s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 };

export const ntfySubscribe: SubscriberProtocol = {
  id: 'ntfy',
  title: 'ntfy’s apps and command line',
  setup: (host) => `${host} as server, inbox as topic, any user name, and an API key as password`,
  serve(deps) {
    const { http } = deps;
    for (const [encoding, { type }] of Object.entries(ENCODINGS)) {
      http.stream(`/:topic/${encoding}`, (request) =>
        answering(request, async () => ({
          headers: { ...ANY_ORIGIN, 'content-type': `${type}; charset=utf-8` },
          stream: await open(deps, request, encoding),
        })),
      );
      preflight(deps, `/:topic/${encoding}`);
    }
    http.socket('/:topic/ws', (request) =>
      answering(request, async () => ({ stream: await open(deps, request, 'ws') })),
    );
    http.on({ methods: ['GET'], path: '/:topic/auth', bodyLimit: 1024 }, (request) =>
      answering(request, async () => {
        await readerOf(deps, request);
        return { status: 200, headers: ANY_ORIGIN, body: { success: true } };
      }),
    );
    preflight(deps, '/:topic/auth');
  },
};

function preflight({ http }: SubscriberDeps, path: string): void {
  http.on({ methods: ['OPTIONS'], path, bodyLimit: 1024 }, () => ({ status: 204, headers: PREFLIGHT }));
}

/** Answers faults in ntfy's words. */
function answering<T extends HttpResponse | StreamResponse>(
  request: HttpRequest,
  answer: () => Promise<T>,
): Promise<T | HttpResponse> {
  return answerOr(answer, (status, reason) => ({
    ...refusalOf({ request, status, reason }),
    headers: ANY_ORIGIN,
  }));
}

async function readerOf({ readers }: SubscriberDeps, request: HttpRequest): Promise<Reader> {
  const authorization = authorizationOf(request);
  // A client without credentials asks its user for them when it is told 403, as ntfy does.
  if (authorization === undefined) throw new QinboxError('FORBIDDEN', 'forbidden');
  return readers.authenticate(credentialOf(authorization), 'read');
}

async function open(deps: SubscriberDeps, request: StreamRequest, encoding: string): Promise<TextStream> {
  const reader = await readerOf(deps, request);
  const follow = !isTrue(parameter(request, 'x-poll', 'poll', 'po'));
  const start = startOf(parameter(request, 'x-since', 'since', 'si'), follow, deps.clock.now());
  if (start === null) throw new QinboxError('VALIDATION_ERROR', 'invalid since parameter');
  const isWanted = filterOf(request);
  if (isWanted === null) throw new QinboxError('VALIDATION_ERROR', 'invalid priority parameter');
  const path = request.params['topic'] ?? '';
  const topics = await topicsOf(path, reader.ownerId, deps.intakeService);
  const subscription = reader.subscribe({ start, follow, signal: request.signal });
  const line = ENCODINGS[encoding]?.line ?? JSON.stringify;
  const isAsked = isTrue(parameter(request, 'x-scheduled', 'scheduled', 'sched')) && start.kind !== 'now';
  const scheduled = isAsked ? await reader.scheduled() : [];
  return lines(deps, subscription, { path, topics, isWanted, follow, line, scheduled });
}

/** What a client asks for, and how it is written. */
interface Lines {
  path: string;
  topics: readonly Topic[];
  isWanted: (message: NtfyMessage) => boolean;
  follow: boolean;
  line: (message: NtfyMessage) => string;
  /** What is due later. */
  scheduled: readonly Task[];
}

async function* lines(
  { clock }: SubscriberDeps,
  subscription: Subscription,
  { path, topics, isWanted, follow, line, scheduled }: Lines,
): AsyncGenerator<string, void> {
  function* told(item: FeedItem): Generator<string, void> {
    for (const { name, shows } of topics) {
      if (item.kind === 'message' && !shows(item.task)) continue;
      const message = messageOf(item, name);
      if (message.event !== 'message' || isWanted(message)) yield line(message);
    }
  }
  if (follow) yield line(signal('open', path, clock.now()));
  const later = scheduled.map((task) => ({ kind: 'message', cursor: task.id.slice(-12), task }) as const);
  for (const item of later) yield* told(item);
  for await (const item of itemsOf(subscription, KEEPALIVE_MS))
    if (item === 'idle') yield line(signal('keepalive', path, clock.now()));
    else yield* told(item);
}

/** Where a subscription begins; null for what ntfy refuses, too. */
function startOf(since: string, follow: boolean, now: number): FeedStart | null {
  if (since === '') return { kind: follow ? 'now' : 'all' };
  if (since === 'none') return { kind: 'now' };
  if (since === 'all' || since === 'latest') return { kind: since };
  if (/^\d{1,11}$/.test(since)) return { kind: 'time', from: Number(since) * 1000 };
  const ago = durationOf(since);
  if (ago !== null) return { kind: 'time', from: now - ago };
  return /^[\w-]{12,50}$/.test(since) ? { kind: 'after', cursor: since } : null;
}

/** Milliseconds of a duration such as `10m` or `1h30m`; null for another text. */
function durationOf(text: string): number | null {
  if (!/^(?:\d{1,9}(?:\.\d{1,9})?(?:ms|[smhd])){1,6}$/.test(text)) return null;
  const parts = text.matchAll(/([\d.]+)(ms|[smhd])/g);
  return [...parts].reduce((sum, [, value, unit]) => sum + Number(value) * (UNITS[unit ?? ''] ?? 0), 0);
}
