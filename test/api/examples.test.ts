// What the page of the API begins a request with is taken as it is: nobody has to guess what fields want.
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { routes, type RouteRecord } from '#core/contract/index.ts';
import { createTestApp, MORNING } from '#test/helpers/app.ts';
import { groupsOf, type ApiDocument } from '../../web/src/features/api-docs/model/document.ts';
import { draftOf } from '../../web/src/features/api-docs/model/request.ts';

// Times of examples are those of the next day, by this clock.
beforeEach(() => void vi.useFakeTimers({ toFake: ['Date'], now: MORNING }));
afterEach(() => void vi.useRealTimers());

/** Their bodies have what only the caller knows: a token, an address, a password that was set. */
const NEEDS_MORE = [
  'actOnPush',
  'deleteAccount',
  'refreshSession',
  'signIn',
  'signInWithGoogle',
  'signInWithLink',
];

test('each call of the document takes the body that its page begins with', async () => {
  const app = await createTestApp({ EMAIL_SIGNIN: 'true' });
  await app.parts.accounts.ensureUser('owner@example.com', { isAdmin: true });
  const { accessToken: token } = await app.session('owner@example.com');
  const document = (await app.call('GET', '/openapi.json')).body as unknown as ApiDocument;
  const operations = groupsOf(document).flatMap((group) => group.operations);

  /** The id of what a call made, by the address of its kind. */
  const ids: Record<string, string> = {};
  const refused: string[] = [];
  for (const operation of operations) {
    const { method, operationId, requestBody } = operation;
    const kind = operation.path.replace(/\/\{id\}.*$/, '');
    const id = ids[kind] ?? '';
    const isForNothing = operation.path !== kind && id === '';
    if (requestBody === undefined || isForNothing || NEEDS_MORE.includes(operationId)) continue;
    const { body, contentType } = draftOf(operation, document, '');
    if (contentType !== 'application/json') continue;
    const path = operation.path.replace('/api/v1', '').replace('{id}', id);
    const answer = await app.call(method, path, { token, body: JSON.parse(body) as unknown });
    if (answer.status >= 300) refused.push(`${operationId}: ${answer.status} ${answer.text} of ${body}`);
    const made = JSON.stringify(answer.body);
    if (method === 'POST' && answer.status === 201) ids[kind] ??= /"id":"([^"]+)"/.exec(made)?.[1] ?? '';
  }
  expect(refused).toEqual([]);
  expect(Object.keys(ids).length).toBeGreaterThan(6);
});

// Other tools (Swagger UI, Postman, Prism) send the examples of the document itself, as they stand.
test('no example of a request is a time that has to be to come: it would be refused from its day on', () => {
  const named = Object.values(routes)
    .flatMap((group) => Object.values<RouteRecord>(group))
    .flatMap(({ schema: { operationId, body } }) => timesIn(body).map((name) => `${operationId} ${name}`));
  // Of what was, or is free to be over.
  expect([...new Set(named)].filter((name) => !name.startsWith('importAccount '))).toEqual([
    'extendTask from',
    'setPushRules doNotDisturbUntil',
  ]);
});

/** The names of the fields whose examples have a time. */
function timesIn(part: unknown, name = ''): string[] {
  if (typeof part !== 'object' || part === null) return [];
  const { examples } = part as { examples?: unknown[] };
  const own = examples?.some((example) => /\d{4}-\d\d-\d\dT/.test(JSON.stringify(example))) === true;
  const inner = Object.entries(part)
    .filter(([key]) => key !== 'examples')
    .flatMap(([key, value]) => timesIn(value, /^(?:\d+|anyOf|properties|items)$/.test(key) ? name : key));
  return own ? [name, ...inner] : inner;
}
