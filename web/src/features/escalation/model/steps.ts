// Steps of an escalation in words.
import type { Escalation, EscalationKind, Priority, Webhook } from '#core/contract/index.ts';
import { PRIORITIES } from '../../../lib/labels.ts';

export type Step = Escalation['steps'][number];

/** What a step does, as a choice. */
export const KIND_LABEL: Record<EscalationKind, string> = {
  push: 'Push to my devices',
  slack: 'Slack message',
  mail: 'Mail',
  webhook: 'Webhook',
};

const MINUTES_OF_HOUR = 60;
const MINUTES_OF_DAY = 24 * MINUTES_OF_HOUR;

/** "at once", "after 5 min", "after 1 h 30 min", "after 2 d". */
export function delayText(minutes: number): string {
  if (minutes === 0) return 'at once';
  const parts = [
    [Math.floor(minutes / MINUTES_OF_DAY), 'd'],
    [Math.floor((minutes % MINUTES_OF_DAY) / MINUTES_OF_HOUR), 'h'],
    [minutes % MINUTES_OF_HOUR, 'min'],
  ];
  const text = parts.flatMap(([count, unit]) => (count === 0 ? [] : [`${count} ${unit}`]));
  return `after ${text.join(' ')}`;
}

type Named = Pick<Webhook, 'id' | 'name'>;

/** Where steps can go, by name. */
export interface Receivers {
  webhooks: readonly Named[];
  /** Where the connected app may write. */
  slack: readonly Named[];
}

/** Who is told: "Push", "Slack to #ops", "Mail to ann@example.com", "Webhook Incident bot". */
export function wayText({ kind, to }: Pick<Step, 'kind' | 'to'>, { webhooks, slack }: Receivers): string {
  switch (kind) {
    case 'push':
      return 'Push';
    case 'slack':
      return `Slack to ${slack.find(({ id }) => id === to)?.name ?? addressIn(to) ?? 'what is gone'}`;
    case 'mail':
      return `Mail to ${to ?? ''}`;
    case 'webhook':
      return `Webhook ${webhooks.find(({ id }) => id === to)?.name ?? 'that is gone'}`;
  }
}

/** What is shown of the address of an incoming webhook, which has a slash in it, and no id of a place has. */
function addressIn(to: string | null): string | undefined {
  return to?.includes('/') === true ? to : undefined;
}

interface Scope {
  escalation: Pick<Escalation, 'intake' | 'priorities'>;
  intakes: readonly { id: string; name: string }[] | undefined;
  /** There are others. */
  isOneOfMany: boolean;
}

/** What it is for: "All tasks, only high", "What comes through Alertmanager". */
export function scopeText({ escalation: { intake, priorities }, intakes, isOneOfMany }: Scope): string {
  const name = intakes?.find(({ id }) => id === intake)?.name;
  const what =
    intake === null
      ? isOneOfMany
        ? 'Everything else'
        : 'All tasks'
      : intakes === undefined
        ? 'One intake'
        : name === undefined
          ? 'An intake that is gone'
          : `What comes through ${name}`;
  return `${what}${priorityText(priorities)}`;
}

function priorityText(priorities: readonly Priority[]): string {
  const chosen = PRIORITIES.filter((priority) => priorities.includes(priority));
  return chosen.length === PRIORITIES.length ? '' : `, only ${chosen.join(' and ')}`;
}
