// How tasks are written in a terminal, fitted to its width, and in a pipe, whole.
import { styleText } from 'node:util';
import type { Priority, Task } from '#core/contract/index.ts';
import { printable } from './printable.ts';

export const MARK = { high: '▲', normal: '●', low: '▽' } as const;
export const COLOUR = { high: 'red', normal: 'blue', low: 'gray' } as const;
const MIN_ENDING = 6;
const MIN_CONTENT_COLUMNS = 20;
const MINUTE_MS = 60_000;

/** Writes text in a colour, or leaves it as it is. */
export type Paint = (colour: 'red' | 'blue' | 'gray', text: string) => string;

/** Colours where standard output is a terminal that wants them (`NO_COLOR`, no-color.org). */
export const paintOutput: Paint = (colour, text) => styleText(colour, text, { stream: process.stdout });
export const paintNothing: Paint = (_colour, text) => text;

/** One whole task in one line. */
export function taskLine({ id, priority, content, tags, pinned }: Task): string {
  const hashTags = tags.map((tag) => `#${printable(tag)}`);
  return [
    MARK[priority],
    printable(id),
    ...(pinned ? ['(pinned)'] : []),
    firstLine(content),
    ...hashTags,
  ].join(' ');
}

function firstLine(content: string): string {
  return printable(content.split('\n')[0] ?? '');
}

/**
 * Tasks in lines of at most so many columns, the ids shortened to endings that are unique among them. Where
 * there is little room, the ages are left out; an id never is.
 */
export function taskRows(tasks: readonly Task[], columns: number, now: number, paint: Paint): string[] {
  const endings = shortIds(tasks.map(({ id }) => printable(id)));
  const idWidth = Math.max(0, ...endings.map((ending) => ending.length));
  const ages = tasks.map(({ lastOccurredAt }) => ageText(now - Date.parse(lastOccurredAt)));
  const ageWidth = Math.max(0, ...ages.map((age) => age.length));
  const narrow = Math.max(1, columns - idWidth - 3);
  const wide = narrow - ageWidth - 1;
  return tasks.map((task, index) => {
    const begin = `${mark(task.priority, paint)} ${paint('gray', (endings[index] ?? '').padEnd(idWidth))}`;
    if (wide < MIN_CONTENT_COLUMNS) return `${begin} ${fit(describe(task), narrow)}`;
    const text = fit(describe(task), wide);
    const age = paint('gray', (ages[index] ?? '').padStart(ageWidth));
    return `${begin} ${text}${' '.repeat(wide - widthOf(text))} ${age}`;
  });
}

function mark(priority: Priority, paint: Paint): string {
  return paint(COLOUR[priority], MARK[priority]);
}

function describe({ content, tags, pinned, occurrences }: Task): string {
  return [
    ...(pinned ? ['(pinned)'] : []),
    firstLine(content),
    ...(occurrences > 1 ? [`×${occurrences}`] : []),
    ...tags.map((tag) => `#${printable(tag)}`),
  ].join(' ');
}

/** The shortest endings, of one length, that tell these ids apart. */
export function shortIds(ids: readonly string[]): string[] {
  const longest = Math.max(0, ...ids.map((id) => id.length));
  for (let length = MIN_ENDING; length < longest; length++) {
    const endings = ids.map((id) => id.slice(-length));
    if (new Set(endings).size === new Set(ids).size) return endings;
  }
  return [...ids];
}

/** How long ago, in one unit. */
export function ageText(ms: number): string {
  const minutes = Math.max(0, Math.floor(ms / MINUTE_MS));
  if (minutes < 1) return 'now';
  if (minutes < 60) return `${minutes}m`;
  return minutes < 1440 ? `${Math.floor(minutes / 60)}h` : `${Math.floor(minutes / 1440)}d`;
}

const segmenter = new Intl.Segmenter();
// East Asian wide and full-width forms, and pictures.
const WIDE =
  /^(?:\p{Emoji_Presentation}|.*\uFE0F|[\u1100-\u115f\u2e80-\u303e\u3041-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6]|[\u{20000}-\u{3fffd}])/u;

const ONE_COLUMN_EACH = /^[ -~]*$/;

/** Columns that a text takes in a terminal. */
export function widthOf(text: string): number {
  // Most texts; to find the characters of one takes a hundred times as long.
  if (ONE_COLUMN_EACH.test(text)) return text.length;
  let columns = 0;
  for (const { segment } of segmenter.segment(text)) columns += WIDE.test(segment) ? 2 : 1;
  return columns;
}

/** The text, clipped to so many columns. */
export function fit(text: string, columns: number): string {
  if (widthOf(text) <= columns) return text;
  let clipped = '';
  let used = 0;
  for (const { segment } of segmenter.segment(text)) {
    used += widthOf(segment);
    if (used > columns - 1) break;
    clipped += segment;
  }
  return `${clipped}…`;
}
