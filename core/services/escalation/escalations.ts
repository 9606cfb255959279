// Escalations of an owner: made, changed, deleted, tested; what their steps did.
import { isDeepStrictEqual } from 'node:util';
import {
  MAX_ESCALATIONS,
  type EscalationKind,
  type SaveEscalation,
  type SaveEscalationStep,
} from '#core/contract/index.ts';
import { readEmail } from '#core/domain/email.ts';
import {
  ESCALATION_WORK,
  type EscalationAction,
  type EscalationRecord,
  type EscalationStep,
  type StepPayload,
} from '#core/domain/escalation.ts';
import type { FollowUps } from '#core/domain/follow-ups.ts';
import type { IdSource } from '#core/domain/ids.ts';
import { newWork, type Work } from '#core/domain/work.ts';
import { invalid, QinboxError } from '#core/errors.ts';
import type { Chat, ChatPlace } from '#core/ports/chat.ts';
import type { Clock } from '#core/ports/clock.ts';
import type { FollowUpStore } from '#core/ports/follow-up-store.ts';
import type { WebhookStore } from '#core/ports/webhook-store.ts';
import type { WorkStore } from '#core/ports/work-store.ts';
import { editUntilStored } from '#core/services/edits.ts';
import type { Encryption } from '#core/services/encryption.ts';
import type { ReadAddress } from '#core/services/outgoing-address.ts';

interface Parts {
  followUps: FollowUpStore;
  webhooks: Pick<WebhookStore, 'get'>;
  work: WorkStore;
  encryption: Encryption;
  /** Null where none is set up. */
  chat: Chat | null;
  clock: Clock;
  nextId: IdSource;
  /** Why an address may not be mailed, as the end of a sentence; null when it may. */
  mailRefusal: (address: string) => Promise<string | null>;
  readAddress: ReadAddress;
}

/** Steps that are listed of an escalation. */
const LISTED = 100;

export type Escalations = ReturnType<typeof createEscalations>;

type Rule = (escalations: readonly EscalationRecord[]) => readonly EscalationRecord[];

export function createEscalations(parts: Parts) {
  const { followUps, work, chat, clock, nextId } = parts;
  async function list(ownerId: string): Promise<readonly EscalationRecord[]> {
    return (await followUps.get(ownerId))?.escalations ?? [];
  }

  async function get(ownerId: string, id: string): Promise<EscalationRecord> {
    const found = (await list(ownerId)).find((one) => one.id === id);
    if (found === undefined) throw notFound();
    return found;
  }

  /** Stores the escalations that the rule makes of those that are there. */
  async function change(ownerId: string, rule: Rule): Promise<void> {
    await followUps.change(ownerId, (before: FollowUps) => ({
      ...before,
      escalations: rule(before.escalations),
    }));
  }

  return {
    list,
    get,
    /** Where steps to Slack may go by the connected app. */
    places: async (ownerId: string): Promise<readonly ChatPlace[]> => chat?.places(ownerId) ?? [],
    /** Whether there can be one with such steps beside `coming` new ones. CONFLICT; VALIDATION_ERROR. */
    async check(ownerId: string, { steps }: SaveEscalation, coming: number): Promise<void> {
      await readSteps(ownerId, steps, [], parts);
      requireRoom((await list(ownerId)).length + coming);
    },

    /**
     * CONFLICT when the owner has 50, or one for the same tasks; VALIDATION_ERROR with the fields at fault.
     */
    async create(ownerId: string, input: SaveEscalation): Promise<EscalationRecord> {
      const now = clock.now();
      const escalation: EscalationRecord = {
        id: nextId('esc_', now),
        ...settingsOf(input),
        steps: await readSteps(ownerId, input.steps, [], parts),
        createdAt: now,
        updatedAt: now,
      };
      await change(ownerId, (before) => {
        requireRoom(before.length);
        refuseTwice(before, escalation);
        return [...before, escalation];
      });
      return escalation;
    },

    save: createSave(parts, get, change),

    async remove(ownerId: string, id: string): Promise<void> {
      const { steps } = await get(ownerId, id);
      await change(ownerId, (all) => all.filter((one) => one.id !== id));
      for (const step of steps) await work.removeLane(step.id);
    },

    /** Does every step now, with a sample. CONFLICT while it is paused. */
    async test(ownerId: string, id: string): Promise<void> {
      const { steps, paused } = await get(ownerId, id);
      if (paused)
        throw new QinboxError('CONFLICT', 'This escalation is paused. Let it go on first, then try again.');
      const now = clock.now();
      await work.add(testOf(ownerId, steps, nextId('test_', now), now));
    },

    /** The latest steps, the latest due first. */
    async runs(ownerId: string, id: string): Promise<Work[]> {
      const { steps } = await get(ownerId, id);
      const all = await Promise.all(steps.map((step) => work.list(ownerId, step.id, LISTED)));
      return all
        .flat()
        .toSorted((a, b) => when(b) - when(a))
        .slice(0, LISTED);
    },
  };
}

/**
 * Replaces it; steps with the id of one that is there stay that step. Of two at once, neither takes back the
 * address that the other gave a step.
 */
function createSave(
  parts: Parts,
  get: (ownerId: string, id: string) => Promise<EscalationRecord>,
  change: (ownerId: string, rule: Rule) => Promise<void>,
) {
  return (ownerId: string, id: string, input: SaveEscalation): Promise<EscalationRecord> =>
    editUntilStored('this escalation', async () => {
      const before = await get(ownerId, id);
      const steps = await readSteps(ownerId, input.steps, before.steps, parts);
      const after = { ...before, ...settingsOf(input), steps, updatedAt: parts.clock.now() };
      let isStale = false;
      await change(ownerId, (all) => {
        const current = all.find((one) => one.id === id);
        if (current === undefined) throw notFound();
        isStale = !isDeepStrictEqual(current.steps, before.steps);
        if (isStale) return all;
        refuseTwice(all, after);
        return all.map((one) => (one.id === id ? after : one));
      });
      if (isStale) return null;
      const gone = before.steps.filter((step) => steps.every((other) => other.id !== step.id));
      for (const step of gone) await parts.work.removeLane(step.id);
      return after;
    });
}

function testOf(ownerId: string, steps: readonly EscalationStep[], id: string, now: number): Work[] {
  const payload = JSON.stringify({ title: '', isTest: true } satisfies StepPayload);
  const about = { id, key: id, kind: ESCALATION_WORK, ownerId, sequence: 0, payload };
  return steps.map(({ id: lane }) => newWork({ ...about, lane }, now));
}

/** When work is due, or ended. */
function when({ dueAt, endedAt, createdAt }: Work): number {
  return dueAt ?? endedAt ?? createdAt;
}

/** What encrypted addresses of steps are bound to. */
export const purposeOfStep = (id: string): string => `escalation ${id}`;

function settingsOf({ name, intake, priorities, paused = false }: SaveEscalation) {
  return { name: name.trim(), intake, priorities: [...new Set(priorities)], paused };
}

function requireRoom(count: number): void {
  if (count >= MAX_ESCALATIONS)
    throw new QinboxError('CONFLICT', `There are ${MAX_ESCALATIONS} escalations already. Delete one first.`);
}

function refuseTwice(all: readonly EscalationRecord[], one: EscalationRecord): void {
  const other = all.find(({ id, intake }) => id !== one.id && intake === one.intake);
  if (other === undefined) return;
  const what = one.intake === null ? 'all tasks that no other is for' : 'this intake';
  throw new QinboxError(
    'CONFLICT',
    `There is an escalation for ${what} already: “${other.name}”. Change that one.`,
  );
}

async function readSteps(
  ownerId: string,
  inputs: readonly SaveEscalationStep[],
  before: readonly EscalationStep[],
  parts: Parts,
): Promise<EscalationStep[]> {
  const { clock, nextId } = parts;
  const steps: EscalationStep[] = [];
  for (const [index, input] of inputs.entries()) {
    const field = `steps/${index}`;
    const known = input.id === undefined ? undefined : before.find(({ id }) => id === input.id);
    if (input.id !== undefined && (known === undefined || steps.some(({ id }) => id === input.id)))
      throw invalid([{ field: `${field}/id`, message: 'must be the id of a step that is there, once' }]);
    const id = known?.id ?? nextId('step_', clock.now());
    const action = await readAction({ ownerId, id, input, known, field: `${field}/to` }, parts);
    steps.push({ id, afterMinutes: input.afterMinutes, action });
  }
  return steps.toSorted((a, b) => a.afterMinutes - b.afterMinutes);
}

interface Reading {
  ownerId: string;
  id: string;
  input: SaveEscalationStep;
  known: EscalationStep | undefined;
  field: string;
}

const NAMED: Record<Exclude<EscalationKind, 'push'>, string> = {
  slack:
    'must be an account or a channel of your own in Slack, or the address of an incoming webhook, such as https://hooks.slack.com/services/…',
  mail: 'must be an e-mail address',
  webhook: 'must be the id of a webhook',
};

async function readAction(
  { ownerId, id, input, known, field }: Reading,
  parts: Parts,
): Promise<EscalationAction> {
  const { kind, to } = input;
  const refused = (message: string) => invalid([{ field, message }]);
  if (kind === 'push') {
    if (to !== undefined) throw refused('must be left out: a push goes to the own devices');
    return { kind };
  }
  if (kind === 'slack' && to === undefined && known?.action.kind === 'slack') return known.action;
  if (to === undefined) throw refused(NAMED[kind]);
  switch (kind) {
    case 'slack': {
      if (PLACE.test(to)) {
        const places = (await parts.chat?.places(ownerId)) ?? [];
        if (!places.some((place) => place.id === to)) throw refused(NAMED.slack);
        return { kind, place: to };
      }
      const url = parts.readAddress(to, field);
      return {
        kind,
        encryptedUrl: parts.encryption.encrypt(url, purposeOfStep(id)),
        shown: shownAddress(url),
      };
    }
    case 'mail': {
      const reading = readEmail(to);
      if ('fault' in reading) throw refused(reading.fault);
      const refusal = await parts.mailRefusal(reading.email);
      if (refusal !== null) throw refused(refusal);
      return { kind, to: reading.email };
    }
    case 'webhook':
      if ((await parts.webhooks.get(ownerId, to)) === null)
        throw refused('must be the id of a webhook of your own');
      return { kind, webhookId: to };
  }
}

/** How places of a chat are called. */
const PLACE = /^(?:[A-Z0-9]+:)?[A-Z0-9]+$/;

/** Enough to know it again; with all of it, anybody can post. */
function shownAddress(url: string): string {
  return `${new URL(url).hostname}/…${url.slice(-4)}`;
}

function notFound(): QinboxError {
  return new QinboxError('NOT_FOUND', 'There is no such escalation. It may have been deleted.');
}
