// What a preset makes of a delivery: tasks, keys of tasks that are over, or why there is nothing to do.
import { MAX_KEY_CHARACTERS, type Priority } from '#core/contract/index.ts';
import type { ParsedDelivery, ParsedTask } from '#core/domain/delivery.ts';
import { filled } from '#core/domain/filled.ts';
import { fingerprintOf, wellFormedKey } from '#core/domain/hash.ts';
import type { Metadata } from '#core/domain/task.ts';
import { priorityOf } from '#core/text/severity.ts';
import { oneLine } from './text.ts';

/** A dedupe key of the parts: at most 255 characters; a longer one ends in its fingerprint. */
export function key(...parts: readonly string[]): string {
  const whole = wellFormedKey(parts.join(':'));
  if (whole.length <= MAX_KEY_CHARACTERS) return tidyKey(whole);
  return `${tidyKey(whole.slice(0, MAX_KEY_CHARACTERS - 44).toWellFormed())}#${fingerprintOf(whole)}`;
}

function tidyKey(text: string): string {
  return text
    .replace(/[\s\p{Cc}]+/gu, ' ')
    .replace(/[: ]+$/, '')
    .trim();
}

/** The priority of a sender's severity; `otherwise` for one that is neither high nor low. */
export function severityPriority(severity: string, otherwise: Priority = 'normal'): Priority {
  const found = priorityOf(severity);
  return found === null || found === 'normal' ? otherwise : found;
}

/** The sender does not say, so the intake's default holds. */
export const USUAL = undefined;

/** A task as a preset writes it; empty fields are left out. */
interface Written {
  content: string;
  priority?: Priority | undefined;
  tags?: readonly string[];
  url?: string;
  dedupeKey?: string;
  replaces?: true | undefined;
  metadata?: Metadata;
}

/** The task without its empty fields. */
export function task({ content, priority, tags = [], metadata = {}, ...written }: Written): ParsedTask {
  const { url, dedupeKey, replaces } = written;
  const tidyTags = [...new Set(tags.map((tag) => oneLine(tag, 50)))].filter((tag) => tag !== '').slice(0, 10);
  return {
    content: content.toWellFormed(),
    ...filled({ priority, tags: tidyTags, url, dedupeKey, replaces, metadata: filled(metadata) }),
  };
}

/** One task, and the keys of tasks that it resolves. */
export function says(event: string, written: Written, resolves: readonly string[] = []): ParsedDelivery {
  return { tasks: [task(written)], resolves, ...named(event) };
}

/** No task, and the keys of tasks that are over. */
export function over(event: string, ...resolves: readonly string[]): ParsedDelivery {
  return { tasks: [], resolves, ...named(event) };
}

/** Nothing to do, with the reason. */
export function ignored(event: string, why: string): ParsedDelivery {
  return { tasks: [], resolves: [], ...named(event), ignored: why };
}

const named = (event: string) => filled({ event: oneLine(event, 100) });
