// Webhooks out of an owner: created, changed, given a new secret, tested, deleted; what was sent to them.
import { MAX_WEBHOOKS, type SaveWebhook } from '#core/contract/index.ts';
import type { IdSource } from '#core/domain/ids.ts';
import { sampleTask } from '#core/domain/sample-task.ts';
import { WEBHOOK_WORK, type WebhookPayload, type WebhookRecord } from '#core/domain/webhook.ts';
import { newWork, type Work } from '#core/domain/work.ts';
import { QinboxError } from '#core/errors.ts';
import type { Clock } from '#core/ports/clock.ts';
import type { WebhookRule, WebhookStore } from '#core/ports/webhook-store.ts';
import type { WorkStore } from '#core/ports/work-store.ts';
import type { ReadAddress } from '#core/services/outgoing-address.ts';
import type { WebhookSecrets } from './secrets.ts';

interface Parts {
  webhooks: WebhookStore;
  work: WorkStore;
  secrets: WebhookSecrets;
  clock: Clock;
  nextId: IdSource;
  readAddress: ReadAddress;
}

/** A webhook with a secret that is shown this once. */
export interface WebhookWithSecret {
  webhook: WebhookRecord;
  secret: string;
}

/** Of a webhook that comes from a file. */
interface Imported {
  id: string;
  /** Why it is switched off, and what to do. */
  off: string;
}

const LISTED = 100;

type Get = (ownerId: string, id: string) => Promise<WebhookRecord>;

export type Webhooks = ReturnType<typeof createWebhooks>;

export function createWebhooks(parts: Parts) {
  const { webhooks, work, secrets, clock, nextId } = parts;

  async function get(ownerId: string, id: string): Promise<WebhookRecord> {
    const webhook = await webhooks.get(ownerId, id);
    if (webhook === null) throw notFound();
    return webhook;
  }

  async function change(ownerId: string, id: string, rule: WebhookRule): Promise<WebhookRecord> {
    const webhook = await webhooks.change(ownerId, id, rule);
    if (webhook === null) throw notFound();
    return webhook;
  }

  return {
    get,
    list: (ownerId: string): Promise<WebhookRecord[]> => webhooks.list(ownerId),

    /** Whether there can be such a webhook beside `coming` new ones. As {@link create}. */
    async check(ownerId: string, input: SaveWebhook, coming: number): Promise<void> {
      settingsOf(input, parts);
      if ((await webhooks.list(ownerId)).length + coming >= MAX_WEBHOOKS) throw tooMany();
    },

    /** CONFLICT when the owner has 10; VALIDATION_ERROR with the fields at fault. */
    async create(ownerId: string, input: SaveWebhook, imported?: Imported): Promise<WebhookWithSecret> {
      const now = clock.now();
      const id = imported?.id ?? nextId('wh_', now);
      const { secret, ...stored } = secrets.first(id);
      const webhook: WebhookRecord = {
        id,
        ownerId,
        ...settingsOf(input, parts),
        ...stored,
        off: imported === undefined ? null : { at: now, reason: imported.off },
        failingSince: null,
        lastDeliveredAt: null,
        createdAt: now,
        updatedAt: now,
      };
      if (!(await webhooks.create(webhook, MAX_WEBHOOKS))) throw tooMany();
      return { webhook, secret };
    },

    /** Replaces the settings, and switches it on; what waits for it is sent now. */
    async save(ownerId: string, id: string, input: SaveWebhook): Promise<WebhookRecord> {
      const settings = settingsOf(input, parts);
      const saved = await change(ownerId, id, (before) => ({
        ...before,
        ...settings,
        off: null,
        failingSince: null,
        updatedAt: clock.now(),
      }));
      await work.wakeLane(id, clock.now());
      return saved;
    },

    async remove(ownerId: string, id: string): Promise<void> {
      if (!(await webhooks.remove(ownerId, id))) throw notFound();
      await work.removeLane(id);
    },

    /** The former secret signs too for 24 hours. */
    async rotate(ownerId: string, id: string): Promise<WebhookWithSecret> {
      let secret = '';
      const webhook = await change(ownerId, id, (before) => {
        const { secret: fresh, ...stored } = secrets.next(before, clock.now());
        secret = fresh;
        return { ...before, ...stored, updatedAt: clock.now() };
      });
      return { webhook, secret };
    },

    ...createDeliveries(parts, get),
  };
}

/** What was sent, or is to be sent, to a webhook. */
function createDeliveries({ work, clock, nextId }: Parts, get: Get) {
  async function active(ownerId: string, id: string): Promise<WebhookRecord> {
    const webhook = await get(ownerId, id);
    if (webhook.off !== null)
      throw new QinboxError('CONFLICT', 'This webhook is switched off. Save it first, to switch it on.');
    if (webhook.paused)
      throw new QinboxError('CONFLICT', 'This webhook is paused. Let it go on first, then try again.');
    return webhook;
  }

  return {
    /** Sends a sample, as every event is sent. CONFLICT while it is told nothing. */
    async test(ownerId: string, id: string): Promise<Work> {
      await active(ownerId, id);
      const now = clock.now();
      const event = nextId('evt_', now);
      const payload = JSON.stringify({
        type: 'webhook.test',
        at: now,
        task: sampleTask(event, ownerId, now),
      } satisfies WebhookPayload);
      const about = { id: event, kind: WEBHOOK_WORK, ownerId, lane: id, key: event, sequence: 0, payload };
      const sent = newWork(about, now);
      await work.add([sent]);
      // A receiver that was just mended rests no longer: somebody looks at what comes of this.
      await work.wakeLane(id, now);
      return sent;
    },

    /** The latest, newest first. */
    async deliveries(ownerId: string, id: string): Promise<Work[]> {
      await get(ownerId, id);
      return work.list(ownerId, id, LISTED);
    },

    /** Sends a delivery again now, whatever came of it. CONFLICT while it is told nothing. */
    async replay(ownerId: string, id: string, delivery: string): Promise<Work> {
      await active(ownerId, id);
      const before = await work.get(ownerId, id, delivery);
      if (before === null)
        throw new QinboxError('NOT_FOUND', 'There is no such delivery. They are stored for 24 hours.');
      const { attempts, lastAttemptAt, result } = before;
      const now = clock.now();
      const again = {
        dueAt: now,
        status: 'waiting' as const,
        attempts,
        lastAttemptAt,
        endedAt: null,
        result,
      };
      await work.progress(before, again);
      await work.wakeLane(id, now);
      return { ...before, ...again };
    },
  };
}

type Settings = Pick<WebhookRecord, 'name' | 'url' | 'events' | 'filter' | 'paused'>;

function settingsOf(input: SaveWebhook, parts: Pick<Parts, 'readAddress'>): Settings {
  const { name, url, events, filter = {}, paused = false } = input;
  const { priorities = [], intakes = [], tags = [] } = filter;
  return {
    name: name.trim(),
    url: parts.readAddress(url, 'url'),
    events: [...new Set(events)],
    filter: {
      priorities: [...new Set(priorities)],
      intakes: [...new Set(intakes)],
      tags: [...new Set(tags)],
    },
    paused,
  };
}

function tooMany(): QinboxError {
  return new QinboxError(
    'CONFLICT',
    `There are ${MAX_WEBHOOKS} webhooks already. Delete one that is no longer used first.`,
  );
}

function notFound(): QinboxError {
  return new QinboxError('NOT_FOUND', 'There is no such webhook. It may have been deleted.');
}
