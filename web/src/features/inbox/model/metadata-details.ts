// The metadata of a task, sorted for reading. All of it comes from outside: it is text, never markup.
import type { Task } from '#core/contract/index.ts';
import { safeHref } from '../../../lib/linkify.ts';
import { parseTime } from '../../../lib/time.ts';

const KNOWN = new Set(['from', 'url', 'resolvedAt', 'body', 'verdicts', 'payload']);

export function detailsOf({ metadata }: Pick<Task, 'metadata'>) {
  const { from, url, body, verdicts, payload } = metadata;
  return {
    from: textOf(from),
    url: safeHref(url),
    resolvedAt: resolvedAt(metadata),
    body: textOf(body),
    /** Checks of the sender: SPF, DKIM, DMARC, a signature. */
    verdicts: entriesOf(verdicts),
    payload: textOf(payload),
    /** Everything else, by name. */
    others: Object.entries(metadata).flatMap(([name, value]): [string, string][] => {
      const text = KNOWN.has(name) && !(name === 'url' && safeHref(value) === null) ? null : textOf(value);
      return text === null ? [] : [[name, text]];
    }),
  };
}

/** When its source said that it is over; null when it did not, or said it unreadably. */
export function resolvedAt(metadata: Task['metadata']): string | null {
  const { resolvedAt: time } = metadata;
  return typeof time === 'string' && parseTime(time) !== null ? time : null;
}

/** Whether there is more to read than the row shows. */
export function hasMore({ metadata }: Pick<Task, 'metadata'>): boolean {
  return ['from', 'body', 'payload', 'verdicts'].some((name) => textOf(metadata[name]) !== null);
}

// JSON where it is not text by itself.
function textOf(value: unknown): string | null {
  if (value === undefined || value === null || value === '') return null;
  return typeof value === 'string' ? value : JSON.stringify(value, null, 2);
}

function entriesOf(value: unknown): [string, string][] {
  if (typeof value === 'object' && value !== null && !Array.isArray(value))
    return Object.entries(value).map(([name, each]) => [name, textOf(each) ?? '']);
  const text = textOf(value);
  return text === null ? [] : [['verdicts', text]];
}
