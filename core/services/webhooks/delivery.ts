// Sends webhooks what they are told: one attempt at a time, signed, within a time limit; switches off those
// that do not want it or have not taken anything for days, and tells their owner.
import { retryAfter } from '#core/domain/retry-after.ts';
import { signedHeaders } from '#core/domain/standard-webhooks.ts';
import { isTold, type WebhookPayload, type WebhookRecord } from '#core/domain/webhook.ts';
import { isTooMuch, MOST_WAITING, type Waiting, type Work } from '#core/domain/work.ts';
import type { Clock } from '#core/ports/clock.ts';
import type { Outgoing, OutgoingAnswer } from '#core/ports/outgoing.ts';
import type { WebhookStore } from '#core/ports/webhook-store.ts';
import { ON_RECORD, type HeldLane, type WorkStore } from '#core/ports/work-store.ts';
import type { Submissions } from '#core/services/submissions.ts';
import type { WebhookSecrets } from './secrets.ts';
import type { Attempt, LaneWork, WorkHandler } from '#core/services/work/runner.ts';

/** Called for each attempt, for measurements. Must not throw. */
export type WebhookObserver = (outcome: 'delivered' | 'failed' | 'retried') => void;

interface Parts {
  webhooks: WebhookStore;
  work: WorkStore;
  outgoing: Outgoing;
  secrets: WebhookSecrets;
  submissions: Pick<Submissions, 'store'>;
  /** Whether the owner's account may be used. */
  mayUse: (ownerId: string) => Promise<boolean>;
  /** The body of a message, as the API shows times and tasks. */
  present: (payload: WebhookPayload) => object;
  clock: Clock;
  /** For how long none may be switched off for its age, in milliseconds (core/services/grace.ts). */
  graceMs: () => number;
  observe: WebhookObserver;
  onError: (error: unknown) => void;
}

/** What is on record of an attempt. */
export interface WebhookAnswer {
  status: number | null;
  error: string | null;
  /** The beginning of it. */
  body: string;
  ms: number;
}

/** For all of an attempt (Standard Webhooks: 15 to 30 seconds). */
const TIMEOUT_MS = 15_000;
const SHOWN_CHARACTERS = 1000;
/** One that failed for so long, and took nothing, is switched off: three days. */
const OFF_AFTER_MS = 72 * 60 * 60_000;
/** Failures in a row before it counts as failing. */
const FAILING_AFTER = 3;
/** How often it is noted that deliveries are taken. */
const NOTED_EVERY_MS = 60 * 60_000;
/** How old the settings may be that an attempt goes by. */
const FRESH_MS = 1000;
const GONE = 410;

export function createWebhookDelivery(parts: Parts): WorkHandler {
  const { webhooks, work, mayUse } = parts;
  const switchOff = createSwitchOff(parts);

  return {
    async begin(lane) {
      const [webhook, mayGoOn, waiting] = await Promise.all([
        webhooks.get(lane.ownerId, lane.id),
        mayUse(lane.ownerId),
        work.waiting(lane.id),
      ]);
      if (webhook === null) return 'gone';
      // What was cut off when it was switched off.
      if (webhook.off !== null && waiting.count > 0) await giveUp(webhook, parts);
      if (!isTold(webhook) || !mayGoOn) return 'hold';
      if (!isTooMuch(waiting)) return createLaneWork(lane, webhook, parts, switchOff);
      await switchOff(webhook, tooMuch(waiting));
      return 'hold';
    },
  };
}

function tooMuch({ count }: Waiting): string {
  const { count: most, bytes } = MOST_WAITING;
  return count > most
    ? `More than ${most} events wait for it.`
    : `Events of more than ${bytes / 1024 / 1024} MiB wait for it.`;
}

/** What waits for it, a part at a time. */
async function giveUp({ id }: WebhookRecord, { work, clock }: Pick<Parts, 'work' | 'clock'>): Promise<void> {
  const given = { status: null, error: 'The webhook was switched off.', body: '', ms: 0 };
  const ended = { result: JSON.stringify(given satisfies WebhookAnswer), most: ON_RECORD };
  while (await work.endLane(id, clock.now(), ended));
  await work.trim(id, ON_RECORD);
}

type SwitchOff = (webhook: WebhookRecord, reason: string) => Promise<void>;

/** Tells the owner first: what is cut off in between is repeated, and makes no second task. */
function createSwitchOff({ webhooks, work, submissions, clock, onError }: Parts): SwitchOff {
  return async (webhook, reason) => {
    const { id, ownerId, name } = webhook;
    const at = clock.now();
    const content =
      `Webhook “${name}” was switched off. ${reason} ` +
      'What waited for it was given up. Save it again under Settings, Webhooks, to switch it on.';
    await submissions
      .store({
        ownerId,
        adapter: 'webhooks',
        requestId: `off-${id}`,
        drafts: [
          {
            content,
            priority: 'high',
            source: 'integration',
            tags: ['webhook'],
            metadata: { webhook: id },
            expiryMinutes: 3 * 24 * 60,
            dedupeKey: `webhook off ${id}`,
            reopens: true,
          },
        ],
      })
      // A full queue must not let it go on for ever.
      .catch(onError);
    await webhooks.change(ownerId, id, (before) =>
      before.off === null ? { ...before, off: { at, reason }, updatedAt: at } : before,
    );
    await giveUp(webhook, { work, clock });
  };
}

/** Attempts of one webhook. */
function createLaneWork(
  { id, ownerId }: HeldLane,
  first: WebhookRecord,
  parts: Parts,
  switchOff: SwitchOff,
): LaneWork {
  const { webhooks, secrets, outgoing, present, clock, graceMs, observe, onError } = parts;
  let current: WebhookRecord | null = first;
  let readAt = clock.monotonic();

  async function settings(): Promise<WebhookRecord | null> {
    if (clock.monotonic() - readAt < FRESH_MS) return current;
    readAt = clock.monotonic();
    current = await webhooks.get(ownerId, id);
    return current;
  }

  async function note(changes: Partial<WebhookRecord>): Promise<void> {
    current = await webhooks.change(ownerId, id, (before) => ({ ...before, ...changes }));
  }

  async function noteSuccess({ failingSince, lastDeliveredAt }: WebhookRecord): Promise<void> {
    const now = clock.now();
    if (failingSince !== null || now - (lastDeliveredAt ?? 0) >= NOTED_EVERY_MS)
      await note({ failingSince: null, lastDeliveredAt: now });
  }

  /** Whether it is switched off by this failure. */
  async function noteFailure(webhook: WebhookRecord, status: number | null, failures: number) {
    const now = clock.now();
    if (status === GONE) {
      await switchOff(webhook, 'Its receiver said that it wants no more (410 Gone).');
      return true;
    }
    if (webhook.failingSince === null) {
      if (failures + 1 >= FAILING_AFTER) await note({ failingSince: now });
      return false;
    }
    if (now - webhook.failingSince < OFF_AFTER_MS || graceMs() > 0) return false;
    await switchOff(
      webhook,
      `Every delivery has failed since ${new Date(webhook.failingSince).toISOString()}.`,
    );
    return true;
  }

  async function send(one: Work, webhook: WebhookRecord): Promise<OutgoingAnswer> {
    const now = clock.now();
    const signing = secrets.signing(webhook, now);
    if (signing.length === 0)
      return {
        kind: 'failed',
        reason: 'Its secret cannot be read any more. Make a new one.',
        isSent: false,
      };
    const body = JSON.stringify(present(JSON.parse(one.payload) as WebhookPayload));
    return outgoing.post({
      url: webhook.url,
      headers: {
        'content-type': 'application/json',
        'user-agent': 'Qinbox',
        ...signedHeaders({ id: one.id, body, now }, signing),
      },
      body,
      timeoutMs: TIMEOUT_MS,
    });
  }

  return {
    async attempt(one, failures): Promise<Attempt> {
      const webhook = await settings();
      if (webhook === null || !isTold(webhook)) return { outcome: 'hold', result: '', ms: 0 };
      const began = clock.monotonic();
      const answer = await send(one, webhook);
      const about = answerOf(answer, Math.round(clock.monotonic() - began));
      const result = JSON.stringify(about);
      if (about.error === null) {
        observe('delivered');
        await noteSuccess(webhook).catch(onError);
        return { outcome: 'done', result, ms: about.ms };
      }
      const isOff = await noteFailure(webhook, about.status, failures);
      observe(isOff ? 'failed' : 'retried');
      if (isOff) return { outcome: 'failed', result, ms: about.ms };
      const wanted = answer.kind === 'answered' ? retryAfterOf(answer, clock.now()) : null;
      return { outcome: 'retry', result, ms: about.ms, ...(wanted === null ? {} : { notBefore: wanted }) };
    },
  };
}

/** What a refusal for now says of when to come back. */
function retryAfterOf(
  { status, headers }: Extract<OutgoingAnswer, { kind: 'answered' }>,
  now: number,
): number | null {
  return status === 429 || status === 503 ? retryAfter(headers['retry-after'], now) : null;
}

function answerOf(answer: OutgoingAnswer, ms: number): WebhookAnswer {
  if (answer.kind !== 'answered') return { status: null, error: answer.reason, body: '', ms };
  const { status } = answer;
  const body = answer.body.slice(0, SHOWN_CHARACTERS).toWellFormed();
  const redirects = status >= 300 && status < 400;
  const error =
    status >= 200 && status < 300
      ? null
      : redirects
        ? 'It redirects. Name the address that it redirects to.'
        : 'It did not take it.';
  return { status, error, body, ms };
}
