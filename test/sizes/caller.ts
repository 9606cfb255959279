// Sends calls to one size as one person, and writes down what came back in a form that is the same for every
// server: ids, tokens and secrets by the order in which they were seen.
import type { CallResult, Fixture } from '#test/helpers/app.ts';
import { waitFor } from '#test/program/wait.ts';
import type { Call, Step } from './calls.ts';

/** What is compared. The values of others depend on how many calls came before, or on the store. */
const HEADERS = [
  ...['allow', 'cache-control', 'content-type', 'idempotency-replayed', 'location', 'preference-applied'],
  ...['ratelimit-policy', 'www-authenticate', 'x-ratelimit-limit'],
];
const IDS = /\b(?:task|in|dlv|key|user|view)_[0-9A-Za-z]{20,}\b/g;
const PRINTED = /\bqi_[0-9A-Za-z]{40}\b/g;
const TOKENS = /\b[a-z2-7]{26}\b/g;
/** What is random in other forms. */
const OTHERS = /"(requestId|prefix|last4|key)":"([0-9A-Za-z_-]{4,})"/g;
const PLACE = /\[(\w+) (\d+)\]/g;
const MINUTE = 60_000;

export interface Told {
  status: number;
  headers: Record<string, unknown>;
  body: unknown;
}

type Named = 'task' | 'intake' | 'token' | 'key' | 'view' | 'delivery';

export async function createCaller(fixture: Fixture, email: string) {
  const made: Record<Named, string[]> = { task: [], intake: [], token: [], key: [], view: [], delivery: [] };
  const aliases = new Map<string, string>();
  const key = await fixture.key(email);
  const ingest = await fixture.key(email, ['ingest']);
  let token = (await fixture.session(email)).accessToken;
  let revision: { etag: string; text: string } | null = null;

  const alias = (kind: string) => (found: string) => {
    const known = aliases.get(found);
    if (known !== undefined) return known;
    aliases.set(found, `${kind} ${aliases.size}`);
    return aliases.get(found) as string;
  };
  const placed = (text: string) =>
    text.replaceAll(PLACE, (_, kind: Named, index: string) => {
      const all = made[kind];
      return all.length === 0 ? `${kind}_none` : (all[Number(index) % all.length] as string);
    });
  const comparable = (text: string) =>
    text
      .replaceAll(PRINTED, alias('secret'))
      .replaceAll(TOKENS, alias('token'))
      .replaceAll(IDS, (found) => alias(found.slice(0, found.indexOf('_')))(found))
      .replaceAll(OTHERS, (_, field: string, found: string) => `"${field}":"${alias(field)(found)}"`)
      // Written now and then, beside the calls.
      .replaceAll(/"last_used_at":(?:null|"[^"]*")/g, '"last_used_at":"once"')
      .replaceAll(email, 'me');

  function note(kind: Named, id: unknown): void {
    if (typeof id === 'string' && !made[kind].includes(id)) made[kind].push(id);
  }

  function learn({ body }: CallResult): void {
    const { task, tasks, intake, apiKey, view, delivery, deliveries } = body as Record<
      string,
      Record<string, unknown> | undefined
    >;
    note('task', task?.['id']);
    for (const each of Array.isArray(tasks) ? (tasks as { id?: string }[]) : []) note('task', each.id);
    note('intake', intake?.['id']);
    if (typeof intake?.['address'] === 'string') note('token', intake['address'].split('/hooks/')[1]);
    note('key', apiKey?.['id']);
    note('view', view?.['id']);
    note('delivery', delivery?.['deliveryId']);
    for (const each of Array.isArray(deliveries) ? (deliveries as { id: string }[]) : [])
      note('delivery', each.id);
  }

  function send({ method, path, body, headers = {}, as }: Call): Promise<CallResult> {
    const who = { session: { token }, key: { key }, ingest: { key: ingest }, nobody: {} }[as];
    const given =
      body === undefined || typeof body === 'string' ? body : JSON.parse(placed(JSON.stringify(body)));
    return fixture.call(method, placed(path), {
      ...who,
      headers,
      ...(given === undefined ? {} : { body: given as unknown }),
    });
  }

  /** Until what the queue holds has become tasks; at once where there is none. */
  async function waitForQueue(): Promise<void> {
    await waitFor('the queue to be empty', async () => {
      const states = await fixture.parts.queue.states();
      return states.every(({ waiting, active, unanswered }) => waiting + active + unanswered === 0);
    });
    await fixture.parts.deliveries.flush();
  }

  function told({ status, headers, text }: CallResult): Told {
    const form = comparable(status === 202 ? withoutWhatWorkersKnow(text) : text);
    const body: unknown = headers['content-type']?.toString().includes('json') === true ? parse(form) : form;
    const tag = String(headers['etag'] ?? '');
    return {
      status,
      body,
      headers: {
        ...Object.fromEntries(HEADERS.map((header) => [header, headers[header]])),
        etag: tag.startsWith('W/') ? 'weak' : tag,
        isLimited: headers['retry-after'] !== undefined,
      },
    };
  }

  /** The whole queue; an `ETag` that says that nothing has changed must be right. */
  async function look(): Promise<unknown> {
    const answer = await send({ method: 'GET', path: '/tasks?limit=100', as: 'session' });
    learn(answer);
    const etag = String(answer.headers['etag']);
    const { text } = answer;
    if (revision?.etag === etag && revision.text !== text)
      throw new Error(`the ETag ${etag} stayed although the queue changed`);
    const again = await fixture.call('GET', '/tasks?limit=100', {
      token,
      headers: { 'if-none-match': etag },
    });
    if (again.status !== 304) throw new Error(`a queue that nobody changed answered ${again.status}`);
    revision = { etag, text };
    return told(answer);
  }

  return {
    async take(step: Step): Promise<unknown> {
      if ('pauseMs' in step) {
        fixture.clock.advance(step.pauseMs);
        // A session's token ends after a quarter of an hour.
        if (step.pauseMs >= MINUTE) token = (await fixture.session(email)).accessToken;
        return look();
      }
      // No two tasks are made in one millisecond: those would be told in the order of their random ids.
      fixture.clock.advance(1);
      const answer = await send(step);
      learn(answer);
      await waitForQueue();
      return { answer: told(answer), queue: await look() };
    },
  };
}

/** What it repeats is not known yet where a queue has it (docs/api.md, "Later"; docs/adapters/webhook.md). */
function withoutWhatWorkersKnow(text: string): string {
  return text.replaceAll(/task_\w+/g, 'task').replace('"status":"duplicate"', '"status":"accepted"');
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
