// A webhook as it is edited in its form.
import type { Priority, SaveWebhook, Webhook, WebhookEvent } from '#core/contract/index.ts';
import { PRIORITIES } from '../../../lib/labels.ts';
import { formatTags, parseTags } from '../../../lib/tags.ts';
import { sentence } from '../../../lib/text.ts';

export const EVENTS: readonly { event: WebhookEvent; label: string }[] = [
  { event: 'task.created', label: 'Created' },
  { event: 'task.updated', label: 'Changed' },
  { event: 'task.acknowledged', label: 'Acknowledged' },
  { event: 'task.expired', label: 'Expired' },
];

export interface Draft {
  name: string;
  url: string;
  events: readonly WebhookEvent[];
  /** None: all. */
  priorities: readonly Priority[];
  /** Ids; none: all, and what came through none. */
  intakes: readonly string[];
  /** As typed, separated by commas; empty: whatever tags. */
  tags: string;
  paused: boolean;
}

export const NEW_DRAFT: Draft = {
  name: '',
  url: '',
  events: EVENTS.map(({ event }) => event),
  priorities: [],
  intakes: [],
  tags: '',
  paused: false,
};

export function draftOf({ name, url, events, filter, paused }: Webhook): Draft {
  return {
    name,
    url,
    events,
    priorities: filter.priorities ?? [],
    intakes: filter.intakes ?? [],
    tags: formatTags(filter.tags ?? []),
    paused,
  };
}

/** What is sent. An empty list of the filter, or one of all priorities, lets everything through: left out. */
export function inputOf({ name, url, events, priorities, intakes, tags, paused }: Draft): SaveWebhook {
  const tagList = parseTags(tags);
  const some = priorities.length > 0 && priorities.length < PRIORITIES.length;
  return {
    name: name.trim(),
    url: url.trim(),
    events: [...events],
    filter: {
      ...(some ? { priorities: [...priorities] } : {}),
      ...(intakes.length > 0 ? { intakes: [...intakes] } : {}),
      ...(tagList.length > 0 ? { tags: tagList } : {}),
    },
    paused,
  };
}

/** A field of the form that the server, or the form itself, found wrong. */
export type FieldName = 'name' | 'url' | 'events' | 'tags';
export type Faults = Partial<Record<FieldName, string>>;

/** What is missing before it can be sent. */
export function missingIn({ name, url, events }: Draft): Faults {
  return {
    ...(name.trim() === '' ? { name: 'Please enter a name.' } : {}),
    ...(url.trim() === '' ? { url: 'Please enter an address.' } : {}),
    ...(events.length === 0 ? { events: 'Please choose at least one.' } : {}),
  };
}

/** The server's objections at their fields; null when one of them belongs to none. */
export function faultsOf(details: readonly { field: string; message: string }[]): Faults | null {
  const faults: Faults = {};
  for (const { field, message } of details) {
    const name = fieldOf(field);
    if (name === undefined) return null;
    faults[name] = sentence(message);
  }
  return details.length === 0 ? null : faults;
}

function fieldOf(path: string): FieldName | undefined {
  const [first, second] = path.split(/[./]/);
  if (first === 'name' || first === 'url' || first === 'events') return first;
  return first === 'filter' && second === 'tags' ? 'tags' : undefined;
}

/** What it is told, in a line: "Created and Acknowledged, only high, of 2 intakes, with #ops". */
export function summaryOf({ events, filter }: Pick<Webhook, 'events' | 'filter'>): string {
  const names = EVENTS.filter(({ event }) => events.includes(event)).map(({ label }) => label);
  const told = names.length === EVENTS.length ? 'Every event' : names.join(', ');
  const { priorities = [], intakes = [], tags = [] } = filter;
  return [
    told,
    ...(priorities.length === 0 ? [] : [`only ${priorities.join(' and ')}`]),
    ...(intakes.length === 0
      ? []
      : [`of ${intakes.length === 1 ? 'one intake' : `${intakes.length} intakes`}`]),
    ...(tags.length === 0 ? [] : [`with ${tags.map((tag) => `#${tag}`).join(' or ')}`]),
  ].join(', ');
}
