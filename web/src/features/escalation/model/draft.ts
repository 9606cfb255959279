// An escalation as it is edited in its form.
import type { Escalation, EscalationKind, Priority, SaveEscalation } from '#core/contract/index.ts';
import { MAX_EXPIRY_MINUTES } from '#core/contract/limits.ts';
import { sentence } from '../../../lib/text.ts';

export interface StepDraft {
  /** Of this page. */
  key: string;
  /** Null for a new one. */
  id: string | null;
  /** As typed. */
  minutes: string;
  kind: EscalationKind;
  /** An address, or the id of a webhook. */
  to: string;
  /** What is shown of where the server's step goes in Slack; null when it goes nowhere. */
  stored: string | null;
}

export interface Draft {
  name: string;
  /** Null: everything else. */
  intake: string | null;
  priorities: readonly Priority[];
  paused: boolean;
  steps: readonly StepDraft[];
}

let drafted = 0;

function newStep(fields: Partial<StepDraft> = {}): StepDraft {
  drafted += 1;
  return { key: `step-${drafted}`, id: null, minutes: '5', kind: 'push', to: '', stored: null, ...fields };
}

const FIRST_MINUTES = 5;
const AGAIN_MINUTES = 15;
const MAIL_MINUTES = 30;

/** What is offered while there is none. `mail`: the own address, where this server sends mail. */
export function suggestion(mail: string | null): SaveEscalation {
  return {
    name: 'High priority',
    intake: null,
    priorities: ['high'],
    steps: [
      { afterMinutes: FIRST_MINUTES, kind: 'push' },
      { afterMinutes: AGAIN_MINUTES, kind: 'push' },
      ...(mail === null ? [] : [{ afterMinutes: MAIL_MINUTES, kind: 'mail' as const, to: mail }]),
    ],
  };
}

export function newDraft(intake: string | null): Draft {
  return {
    name: '',
    intake,
    priorities: ['high'],
    paused: false,
    steps: [newStep({ minutes: String(FIRST_MINUTES) })],
  };
}

export function draftOf({ name, intake, priorities, paused, steps }: Escalation): Draft {
  return {
    name,
    intake,
    priorities,
    paused,
    steps: steps.map(({ id, afterMinutes, kind, to }) =>
      newStep({
        id,
        minutes: String(afterMinutes),
        kind,
        to: kind === 'slack' ? '' : (to ?? ''),
        stored: kind === 'slack' ? to : null,
      }),
    ),
  };
}

/** The address that the server has is not shown, and stays when none is sent. */
export function inputOf({ name, intake, priorities, paused, steps }: Draft): SaveEscalation {
  return {
    name: name.trim(),
    intake,
    priorities: [...priorities],
    paused,
    steps: steps.map(({ id, minutes, kind, to }) => ({
      ...(id === null ? {} : { id }),
      afterMinutes: Number(minutes),
      kind,
      ...(kind === 'push' || to.trim() === '' ? {} : { to: to.trim() }),
    })),
  };
}

/** The place in Slack that a step goes to by the connected app; null for an incoming webhook. */
export function slackPlaceOf(
  { to, stored }: Pick<StepDraft, 'to' | 'stored'>,
  places: readonly { id: string }[],
): string | null {
  if (places.some(({ id }) => id === to)) return to;
  // What is shown of an address has a slash in it, and no place has.
  return to === '' && stored !== null && !stored.includes('/') ? stored : null;
}

/** A step that follows the others: later, by another quarter of an hour. */
export function stepAfter(steps: readonly StepDraft[]): StepDraft {
  const latest = Math.max(0, ...steps.map(({ minutes }) => Number(minutes) || 0));
  return newStep({ minutes: String(Math.min(latest + AGAIN_MINUTES, MAX_EXPIRY_MINUTES)) });
}

/** What the form, or the server, found wrong, by field: `name`, `steps/0/to`. */
export type Faults = Readonly<Record<string, string>>;

const MISSING_TO: Record<Exclude<EscalationKind, 'push'>, string> = {
  slack: 'Please enter the address of the incoming webhook.',
  mail: 'Please enter a mail address.',
  webhook: 'Please choose a webhook.',
};

/** What is missing before it can be sent. */
export function missingIn({ name, priorities, steps }: Draft): Faults {
  const faults: Record<string, string> = {};
  if (name.trim() === '') faults['name'] = 'Please enter a name.';
  if (priorities.length === 0) faults['priorities'] = 'Please choose at least one.';
  for (const [index, { minutes, kind, to, stored }] of steps.entries()) {
    if (!/^\d+$/.test(minutes) || Number(minutes) > MAX_EXPIRY_MINUTES)
      faults[`steps/${index}/afterMinutes`] = '0 to 10080, which is 7 days.';
    const isThere = to.trim() !== '' || (kind === 'slack' && stored !== null);
    if (kind !== 'push' && !isThere) faults[`steps/${index}/to`] = MISSING_TO[kind];
  }
  return faults;
}

const FIELD = /^(?:name|intake|priorities|paused|steps\/\d+\/(?:afterMinutes|kind|to))$/;

/** The server's objections at their fields; null when one of them belongs to none. */
export function faultsOf(details: readonly { field: string; message: string }[]): Faults | null {
  if (details.length === 0 || !details.every(({ field }) => FIELD.test(field))) return null;
  return Object.fromEntries(details.map(({ field, message }) => [field, sentence(message)]));
}
