// Showing a queue as Gotify's clients expect it: messages by pages, applications, and a stream. Deleting a
// message acknowledges its task. https://gotify.net/api-docs
import { setImmediate as nextTurn } from 'node:timers/promises';
import { QinboxError } from '#core/errors.ts';
import type { Task } from '#core/domain/task.ts';
import type { HttpRequest, HttpResponse, StreamResponse } from '#core/ports/adapter/http.ts';
import type { Reader, Subscription } from '#core/ports/adapter/subscription.ts';
import { keyOf, refusalOf } from './gotify.ts';
import {
  idsWithNumber,
  messageOf,
  numberOf,
  numberOfIntake,
  OWN_APPLICATION,
  type GotifyMessage,
} from './gotify-message-out.ts';
import { answerOr } from './protocol.ts';
import { intakeOf, itemsOf, type SubscriberDeps, type SubscriberProtocol } from './subscriber.ts';

/** Gotify's own limits of a page. */
const DEFAULT_LIMIT = 100;
const MAX_LIMIT = 200;
/** Tasks read at once, and acknowledged at once. */
const PAGE = 500;
const WAIT_MS = 60_000;
const ICON = 'icons/icon-192.png';

type Handler = (deps: SubscriberDeps, reader: Reader, request: HttpRequest) => Promise<HttpResponse>;

/** Calls by method and path. `write`: they acknowledge. */
const CALLS: readonly { method: string; path: string; write?: true; handle: Handler }[] = [
  { method: 'GET', path: '/current/user', handle: async (_, reader) => ok(userOf(reader)) },
  { method: 'GET', path: '/application', handle: async (_, reader) => ok(await applicationsOf(reader)) },
  { method: 'GET', path: '/application/:id/message', handle: messages },
  { method: 'DELETE', path: '/application/:id/message', write: true, handle: acknowledgeAll },
  { method: 'GET', path: '/message', handle: messages },
  { method: 'DELETE', path: '/message', write: true, handle: acknowledgeAll },
  { method: 'DELETE', path: '/message/:id', write: true, handle: acknowledge },
  // The API key stands for the client that an app makes for itself; it is revoked in the settings alone.
  { method: 'GET', path: '/client', handle: async () => ok([]) },
  { method: 'POST', path: '/client', handle: async (_, __, request) => ok(clientOf(request)) },
];

export const gotifyClient: SubscriberProtocol = {
  id: 'gotify',
  title: 'Gotify’s apps',
  setup: (host) => `${host} as URL, any user name, and an API key as password`,
  serve(deps) {
    for (const prefix of ['', '/gotify']) {
      for (const { method, path, write, handle } of CALLS)
        deps.http.on({ methods: [method], path: prefix + path, bodyLimit: 4096 }, (request) =>
          answering(async () => {
            const reader = await readerOf(deps, request, write === true ? 'write' : 'read');
            return handle(deps, reader, request);
          }),
        );
      deps.http.socket(`${prefix}/stream`, (request) =>
        answering<HttpResponse | StreamResponse>(async () => {
          const reader = await readerOf(deps, request, 'read');
          const options = { start: { kind: 'now' }, follow: true, signal: request.signal } as const;
          return { stream: texts(reader.subscribe(options)) };
        }),
      );
    }
  },
};

function ok(body: object): HttpResponse {
  return { status: 200, body };
}

/** Answers faults in Gotify's words. */
function answering<T>(answer: () => Promise<T>): Promise<T | HttpResponse> {
  return answerOr(answer, refusalOf);
}

function readerOf(
  { readers }: SubscriberDeps,
  request: HttpRequest,
  access: 'read' | 'write',
): Promise<Reader> {
  return readers.authenticate(keyOf(request), access);
}

async function* texts(subscription: Subscription): AsyncGenerator<string, void> {
  for await (const item of itemsOf(subscription, WAIT_MS))
    if (item !== 'idle' && item.kind === 'message') yield JSON.stringify(messageOf(item.task));
}

function userOf({ mayWrite }: Reader) {
  return { id: 1, name: mayWrite ? 'Qinbox' : 'Qinbox (read only)', admin: false };
}

/** The key itself: an app that signs in with it as password goes on with it. */
function clientOf(request: HttpRequest) {
  return { id: 1, name: 'Qinbox', token: keyOf(request), lastUsed: null };
}

async function applicationsOf(reader: Reader): Promise<object[]> {
  const intakes = await reader.intakes();
  const all = [
    { id: OWN_APPLICATION, name: 'Qinbox' },
    ...intakes.map(({ id, name }) => ({ id: numberOfIntake(id), name })),
  ];
  return all.map((application) => ({
    ...application,
    description: '',
    internal: true,
    image: ICON,
    defaultPriority: 0,
    lastUsed: null,
  }));
}

/** Whether a task is the path's application's; all are where it names none. */
function isWanted({ params }: HttpRequest): (task: Task) => boolean {
  const { id } = params;
  if (id === undefined) return () => true;
  return (task) => applicationOf(task) === Number(id);
}

function applicationOf(task: Task): number {
  const intake = intakeOf(task);
  return intake === null ? OWN_APPLICATION : numberOfIntake(intake.id);
}

/** A page, the newest first. */
async function messages({ tasks }: SubscriberDeps, { ownerId }: Reader, request: HttpRequest) {
  const limit = wholeNumber(request, 'limit', DEFAULT_LIMIT, MAX_LIMIT);
  const since = wholeNumber(request, 'since', 0, Number.MAX_SAFE_INTEGER);
  const belongs = isWanted(request);
  const found: GotifyMessage[] = [];
  let before = since === 0 ? undefined : idsWithNumber(since).before;
  while (found.length <= limit) {
    const place = before === undefined ? {} : { before };
    const part = await tasks.listById({ ownerId, order: 'descending', limit: limit + 50, ...place });
    const last = part.at(-1);
    if (last === undefined) break;
    before = last.id;
    await nextTurn();
    for (const task of part)
      if (belongs(task) && (since === 0 || numberOf(task.id) < since)) found.push(messageOf(task));
  }
  const shown = found.slice(0, limit);
  const hasMore = found.length > limit;
  const last = hasMore ? (shown.at(-1)?.id ?? 0) : 0;
  const next = `${request.path}?limit=${limit}&since=${last}`;
  const paging = { size: shown.length, limit, since: last, ...(hasMore ? { next } : {}) };
  return ok({ paging, messages: shown });
}

function wholeNumber({ query }: HttpRequest, name: string, otherwise: number, max: number): number {
  const given = query[name] ?? '';
  if (given === '') return otherwise;
  const value = Number(given);
  if (!Number.isInteger(value) || value < 0 || value > max)
    throw new QinboxError('VALIDATION_ERROR', `${name} must be a whole number up to ${max}.`);
  return value;
}

async function acknowledge({ tasks }: SubscriberDeps, { ownerId }: Reader, request: HttpRequest) {
  const number = Number(request.params['id']);
  const range = { ownerId, ...idsWithNumber(number), order: 'ascending', limit: PAGE } as const;
  const candidates = Number.isSafeInteger(number) && number > 0 ? await tasks.listById(range) : [];
  const [task, ...others] = candidates.filter(({ id }) => numberOf(id) === number);
  // Two tasks of one number: rather none than the wrong one.
  if (task === undefined || others.length > 0) throw new QinboxError('NOT_FOUND', 'message does not exist');
  await tasks.acknowledge(ownerId, task.id);
  return { status: 200 };
}

async function acknowledgeAll({ tasks }: SubscriberDeps, { ownerId }: Reader, request: HttpRequest) {
  const belongs = isWanted(request);
  let after = '';
  for (;;) {
    const part = await tasks.listById({ ownerId, after, order: 'ascending', limit: PAGE });
    const last = part.at(-1);
    if (last === undefined) return { status: 200 };
    after = last.id;
    await nextTurn();
    const ids = part.filter(belongs).map(({ id }) => id);
    if (ids.length > 0) await tasks.acknowledgeMany(ownerId, ids);
  }
}
