// Random calls of the API. What they name (a task, an intake, a key) is named by its place among those that
// the same calls have made, so that a sequence can be sent to two servers, whose ids differ.
import fc from 'fast-check';

/** One call; `[task 0]`, `[intake 1]` and the like in its path and body stand for ids. */
export interface Call {
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  path: string;
  body?: unknown;
  headers?: Record<string, string>;
  as: 'session' | 'key' | 'ingest' | 'nobody';
}

/** Time that passes between two calls. */
export interface Pause {
  pauseMs: number;
}

export type Step = Call | Pause;

const MINUTE = 60_000;

const one = <T>(...values: readonly T[]) => fc.constantFrom(...values);
/** Mostly what is taken, now and then what is refused. */
const odd = <T>(taken: fc.Arbitrary<T>, ...refused: readonly T[]) =>
  fc.oneof({ weight: 15, arbitrary: taken }, one(...refused));
const text = odd(
  fc.oneof(
    {
      weight: 5,
      arbitrary: fc.string({ unit: one('a', 'b', 'B', ' b', 'disk'), minLength: 1, maxLength: 6 }),
    },
    fc.string({ unit: 'grapheme', minLength: 1, maxLength: 12 }),
    one('İstanbul', 'ß SS', '#a !high', '%', '_', '\\', '$where', '😀', ' a\nb '),
  ),
  ...['', ' ', '\u0000', 'a\u0000b', '\ud800'],
);
const tag = odd(one('a', 'b', 'A', 'B', ' a ', 'ä', '#'), '', 'x'.repeat(51), '\u0000');
const name = one('a', 'b.c', '$set', '$gt', '__proto__', 'constructor', '', 'from', 'body', 'url', '0', 'é');
const value = fc.oneof(
  text,
  fc.integer(),
  one<unknown>(0.1, -0, 1e300, 2 ** 53, -(2 ** 31) - 1, 5e-324, true, false, null, {}, []),
);
const metadata = fc.dictionary(
  name,
  fc.oneof(value, fc.array(value, { maxLength: 2 }), fc.dictionary(name, value)),
  {
    maxKeys: 4,
  },
);
const priority = one('high', 'normal', 'low');
const dedupeKey = odd(one('k', 'K', 'k ', '$k', 'l'), 'k\u0000', '\ud800', '');
const minutes = one(1, 5, 60, 1440, 10_080);
const source = one('api', 'cron', 'Cron', 'a.b');

const draft = fc.record(
  {
    content: text,
    priority,
    source,
    expiryMinutes: minutes,
    metadata,
    tags: fc.array(tag, { maxLength: 3 }),
    pinned: fc.boolean(),
    dedupeKey,
  },
  { requiredKeys: ['content'] },
);
const edits = fc.record(
  { content: text, priority, tags: fc.array(tag, { maxLength: 3 }) },
  { requiredKeys: [] },
);
const placeOf = (kind: string) => fc.nat(5).map((index) => `[${kind} ${index}]`);
const task = fc.oneof({ weight: 9, arbitrary: placeOf('task') }, one('none', '__proto__', 'task_%00'));
const intake = placeOf('intake');
const as = one<Call['as']>('session', 'session', 'session', 'key', 'key', 'ingest');
const idempotency = fc.option(one('i1', '"i1"', 'i2'), { nil: undefined, freq: 2 });
const match = fc.option(one('"v1"', '"v2"', 'W/"v1"', '*', '"v1", "v3"', 'v1'), { nil: undefined, freq: 2 });

function headersOf(given: Record<string, string | undefined>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(given).flatMap(([key, each]) => (each === undefined ? [] : [[key, each]])),
  );
}

const create = fc
  .tuple(
    fc.oneof({ weight: 20, arbitrary: draft }, fc.record({ content: fc.integer() })),
    idempotency,
    as,
    fc.nat(9),
  )
  .map(([body, key, by, way]): Call => {
    const headers = headersOf({ 'idempotency-key': key });
    const call = { method: 'POST', path: '/tasks', as: by } as const;
    if (way === 0) return { ...call, body, headers: { ...headers, prefer: 'respond-async' } };
    if (way === 1) {
      const [kind, tags] = [{ 'content-type': 'text/plain' }, { 'x-tags': 'a, b', 'x-priority': 'HIGH' }];
      return { ...call, body: String(body.content), headers: { ...headers, ...kind, ...tags } };
    }
    if (way === 2) {
      const form = new URLSearchParams({ content: String(body.content), dedupeKey: 'k' }).toString();
      const kind = { 'content-type': 'application/x-www-form-urlencoded' };
      return { ...call, body: form, headers: { ...headers, ...kind } };
    }
    return { ...call, body, headers };
  });

const batch = fc.tuple(fc.array(draft, { maxLength: 4 }), idempotency, as).map(([tasks, key, by]): Call => ({
  ...{ method: 'POST', path: '/tasks/batch', body: { tasks }, as: by },
  headers: headersOf({ 'idempotency-key': key }),
}));

const query = fc
  .record(
    {
      limit: one('1', '2', '100', '0', 'x'),
      offset: one('0', '1', '3', '1000001'),
      include_pinned: one('true', 'false'),
      pinned: one('true', 'false'),
      snoozed: one('true', 'false'),
      order: one('newest', 'priority', 'expiry', 'source', 'intake', 'tag'),
      priority,
      source,
      tag,
      intake: fc.oneof(intake, one('hook', 'HOOK')),
      q: fc.oneof(text, one('a', 'B', 'disk', '#a', 'i')),
    },
    { requiredKeys: [] },
  )
  .map((fields) => {
    const pairs = Object.entries(fields).map(([key, each]) => `${key}=${encode(each)}`);
    return pairs.join('&');
  });

/** As part of an address; places stay as they are. */
function encode(part: string): string {
  return part.startsWith('[') ? part : encodeURIComponent(part.toWellFormed());
}

const read = fc.oneof(
  { weight: 5, arbitrary: query.map((asked) => `/tasks?${asked}`) },
  one('/tasks/stats/summary', '/tasks/facets', '/tasks/acknowledged', '/auth/profile', '/auth/api-keys'),
  one('/intakes', '/views', '/nothing'),
  task.map((id) => `/tasks/${id}`),
  intake.map((id) => `/intakes/${id}`),
  intake.map((id) => `/intakes/${id}/deliveries`),
  fc.tuple(intake, placeOf('delivery')).map(([id, delivery]) => `/intakes/${id}/deliveries/${delivery}`),
);
const get = fc
  .tuple(read, fc.oneof({ weight: 9, arbitrary: as }, one<Call['as']>('nobody')))
  .map(([path, by]): Call => ({ method: 'GET', path, as: by }));

const changeOfOne = fc.oneof(
  edits.map((body) => ['PUT', '', body] as const),
  fc.boolean().map((pinned) => ['PATCH', '/pin', { pinned }] as const),
  fc.record({ minutes }).map((body) => ['POST', '/extend', body] as const),
  fc
    .oneof(fc.record({ minutes }), fc.constant({ until: null }), fc.constant({ until: 'soon' }))
    .map((body) => ['POST', '/snooze', body] as const),
  fc.constant(['DELETE', '', undefined] as const),
  fc.constant(['POST', '/restore', undefined] as const),
);
const change = fc
  .tuple(changeOfOne, task, match, as)
  .map(([[method, path, body], id, ifMatch, by]): Call => ({
    ...{ method, path: `/tasks/${id}${path}`, as: by, headers: headersOf({ 'if-match': ifMatch }) },
    ...(body === undefined ? {} : { body }),
  }));

const ids = fc.array(task, { minLength: 1, maxLength: 4 });
const changeMany = fc.oneof(
  ids.map((given) => ['POST', '/tasks/acknowledge', { ids: given }] as const),
  ids.map((given) => ['POST', '/tasks/restore', { ids: given }] as const),
  fc
    .array(dedupeKey, { maxLength: 2 })
    .map((dedupeKeys) => ['POST', '/tasks/resolve', { dedupeKeys }] as const),
  fc
    .array(
      fc.tuple(task, edits, fc.option(fc.boolean(), { nil: undefined })).map(([id, fields, pinned]) => ({
        ...{ id, ...fields },
        ...(pinned === undefined ? {} : { pinned }),
      })),
      { maxLength: 3 },
    )
    .map((tasks) => ['PATCH', '/tasks', { tasks }] as const),
);
const many = fc
  .tuple(changeMany, as)
  .map(([[method, path, body], by]): Call => ({ method, path, body, as: by }));

const session = (method: Call['method'], path: string, body?: unknown): Call => ({
  ...{ method, path, as: 'session' },
  ...(body === undefined ? {} : { body }),
});
const settings = fc.record(
  {
    name: one('hook', 'Hook', 'ä', ' '),
    defaults: fc.record({ priority, tags: fc.array(tag, { maxLength: 2 }), expiryMinutes: minutes }),
    mapping: one(null, { content: '{{ text }}', dedupeKey: '{{ key }}', priority: '{{ p }}' }),
    preset: one(null, 'generic', 'none'),
    hourlyCap: one(null, 100_000),
    reopens: fc.boolean(),
  },
  { requiredKeys: ['name'] },
);
const intakes = fc.oneof(
  settings.map((body) =>
    session('POST', '/intakes', { adapter: 'webhook', verification: { scheme: 'none' }, ...body }),
  ),
  fc
    .tuple(intake, settings, fc.option(fc.boolean(), { nil: undefined, freq: 2 }))
    .map(([id, body, paused]) =>
      session('PATCH', `/intakes/${id}`, { ...body, ...(paused === true ? { paused } : {}) }),
    ),
  fc
    .tuple(intake, one(0, 5))
    .map(([id, graceMinutes]) => session('POST', `/intakes/${id}/rotate`, { graceMinutes })),
  intake.map((id) => session('POST', `/intakes/${id}/test`)),
  intake.map((id) => session('POST', `/intakes/${id}/preview`, { payload: { text: 'a', key: 'k' } })),
  intake.map((id) => session('DELETE', `/intakes/${id}`)),
  fc
    .tuple(intake, placeOf('delivery'))
    .map(([id, delivery]) => session('POST', `/intakes/${id}/deliveries/${delivery}/replay`)),
);

const payload = fc.oneof(
  fc.record({ text, key: one('k', '', 'l'), p: one('high', '') }, { requiredKeys: ['text'] }),
  metadata,
  one('plain', '{"broken', '<a><b>1</b></a>'),
);
const hook = fc
  .tuple(fc.nat(3), payload, fc.option(one('d1', 'd2'), { nil: undefined }))
  .map(([index, body, id]): Call => ({
    ...{ method: 'POST', path: `/hooks/[token ${index}]`, body, as: 'nobody' },
    headers: headersOf({ 'x-request-id': id, 'idempotency-key': id }),
  }));

const others = fc.oneof(
  fc
    .record(
      { name: text, scopes: one(['read'], ['ingest'], [], ['read', 'write']), description: text },
      { requiredKeys: ['name'] },
    )
    .map((body) => session('POST', '/auth/api-keys', body)),
  placeOf('key').map((id) => session('DELETE', `/auth/api-keys/${id}`)),
  text.map((called) => session('PUT', '/auth/profile', { name: called })),
  fc
    .tuple(one('a', 'A', 'b'), one('4', '5', null))
    .map(([called, key]) => session('POST', '/views', { name: called, key, query: 'q=a' })),
  fc
    .tuple(placeOf('view'), one('a', 'c'))
    .map(([id, called]) => session('PUT', `/views/${id}`, { name: called, key: null, query: '' })),
  placeOf('view').map((id) => session('DELETE', `/views/${id}`)),
);

const pause = one(1, 1000, MINUTE, 5 * MINUTE, 10 * MINUTE, 60 * MINUTE, 24 * 60 * MINUTE).map(
  (pauseMs): Pause => ({ pauseMs }),
);

const FIRST: readonly Step[] = [
  session('POST', '/intakes', { adapter: 'webhook', verification: { scheme: 'none' }, name: 'hook' }),
  { method: 'POST', path: '/tasks', body: { content: 'disk a', tags: ['a'] }, as: 'key' },
];

/** What a client may send in any order, once it has an intake and a task. */
export const steps = (maxLength: number): fc.Arbitrary<Step[]> =>
  fc
    .array(
      fc.oneof(
        { weight: 6, arbitrary: create },
        { weight: 2, arbitrary: batch },
        { weight: 4, arbitrary: get },
        { weight: 5, arbitrary: change },
        { weight: 3, arbitrary: many },
        { weight: 3, arbitrary: intakes },
        { weight: 3, arbitrary: hook },
        { weight: 2, arbitrary: others },
        { weight: 2, arbitrary: pause },
      ),
      { minLength: 1, maxLength, size: 'max' },
    )
    .map((all) => [...FIRST, ...all]);
