// What is asked for in the last line, and how the answer is read.
import type { Task } from '#core/contract/index.ts';
import { snoozeOptions } from '#core/domain/snooze-times.ts';
import { readWhen, shortTimeText } from '../client/when.ts';
import { editorOf } from './editor.ts';
import { targetsOf, type Prompt, type ScreenState } from './state.ts';

function prompt(kind: Prompt['kind'], label: string, text: string, hints: readonly string[]): Prompt {
  return { kind, label, hints, editor: editorOf(text) };
}

/** Null where there is nothing that it could be about. */
export function promptFor(kind: Prompt['kind'], state: ScreenState): Prompt | null {
  if (kind === 'search') return prompt(kind, '/', state.search, []);
  if (kind === 'add')
    return prompt(kind, 'Add:', '', ['#tag, !high, !low and ~2h are its tags, priority and lifetime.']);
  const targets = targetsOf(state);
  const [first] = targets;
  if (first === undefined) return null;
  if (kind === 'snooze') {
    const what = targets.length === 1 ? 'Snooze' : `Snooze ${targets.length} items`;
    return prompt(kind, `${what} until:`, '', snoozeHints());
  }
  return targets.length === 1
    ? prompt(kind, 'Tags:', first.tags.join(', '), ['Separated by commas; none when empty.'])
    : prompt(kind, `Add to ${targets.length} items:`, '', ['Tags, separated by commas.']);
}

function snoozeHints(): string[] {
  const options = snoozeOptions(Date.now());
  return [
    ...options.map(({ label, until }, index) => `${index + 1} ${label}, ${shortTimeText(until)}`),
    'or 30m, 2h, tomorrow 09:00',
  ];
}

/** When: the number of what is offered, or in words; throws for any other text. */
export async function waking(text: string): Promise<Date> {
  const now = new Date();
  const option = snoozeOptions(now.getTime())[Number(text.trim()) - 1];
  if (option !== undefined) return new Date(option.until);
  const when = await readWhen(text, now);
  return new Date('minutes' in when ? now.getTime() + when.minutes * 60_000 : when.until);
}

/** The tags that are typed; for several tasks, after the ones that each has. */
export function tagsOf(text: string, task: Task, count: number): string[] {
  const given = text
    .split(',')
    .map((tag) => tag.trim().replace(/^#/, ''))
    .filter((tag) => tag !== '');
  return count === 1 ? given : [...new Set([...task.tags, ...given])];
}
