// Marks in the message of a new item: `#tag`, `!high` and `~2h` are its tags, priority and lifetime. Pure and
// linear. What is no mark stays as it was typed. Subjects of mails are read by the same rules
// (adapters/ingestion/smtp/parse/subject.ts), but that `!important`, which is code more often, is none here.
import type { Priority } from '#core/contract/index.ts';
import { MAX_EXPIRY_MINUTES, MAX_TAGS } from '#core/contract/limits.ts';

type Meaning =
  | { kind: 'tag'; tag: string }
  | { kind: 'priority'; priority: Priority }
  | { kind: 'time'; minutes: number };

/** A recognised part of the message. */
export type Mark = Meaning & {
  /** As it was typed, for example `#ops`. */
  typed: string;
};

/** A message without its marks. */
export interface QuickAdd {
  /** Trimmed; empty when there was nothing but marks. */
  text: string;
  /** Each tag once, and the priority and the lifetime that count: the last ones. In the order of the text. */
  marks: readonly Mark[];
}

export interface QuickAddContext {
  /** Tags that the item has anyway: they count towards the 20. */
  tags?: readonly string[];
  /** Marks that are to stay in the text, as they were typed. */
  plain?: readonly string[];
}

interface FoundMark {
  mark: Mark;
  at: number;
}

const MARK =
  /(?<=^|\s)(?:#(\p{L}(?:[\p{L}\p{N}_/.-]{0,48}[\p{L}\p{N}_])?)|!(\p{L}{1,9})|~([1-9]\d{0,4})([mhdw]))(?=[\s,;:?)]|!(?!\p{L})|\.?$|\.\s)/gmu;
/** `#INC0012345`, `#GH-12`: numbers of tickets, which belong to the sentence. */
const TICKET = /^\p{L}{1,5}[-_]?\d{2,}/u;

const PRIORITIES: ReadonlyMap<string, Priority> = new Map([
  ['high', 'high'],
  ['urgent', 'high'],
  ['normal', 'normal'],
  ['low', 'low'],
]);
const UNIT_MINUTES: Readonly<Record<string, number>> = { m: 1, h: 60, d: 24 * 60, w: 7 * 24 * 60 };

/** Takes the marks out of the message of a new item. */
export function parseQuickAdd(message: string, context: QuickAddContext = {}): QuickAdd {
  const found = findMarks(message, context);
  const last = (kind: Mark['kind']) => found.findLast(({ mark }) => mark.kind === kind)?.mark;
  const [priority, time] = [last('priority'), last('time')];
  const tags = new Set<string>();
  const marks = found.flatMap(({ mark }): Mark[] => {
    if (mark.kind !== 'tag') return mark === priority || mark === time ? [mark] : [];
    if (tags.has(mark.tag)) return [];
    tags.add(mark.tag);
    return [mark];
  });
  return { text: without(message, found), marks };
}

/** The message without its marks of one kind: something else was chosen in their place. */
export function withoutMarks(message: string, kind: Mark['kind'], context: QuickAddContext): string {
  const unwanted = findMarks(message, context).filter(({ mark }) => mark.kind === kind);
  return unwanted.length === 0 ? message : without(message, unwanted);
}

/** Those of `plain` that the message still has. */
export function plainIn(message: string, plain: readonly string[]): string[] {
  const words = new Set([...message.matchAll(MARK)].map(([typed]) => typed));
  return plain.filter((typed) => words.has(typed));
}

function findMarks(message: string, { tags: given = [], plain = [] }: QuickAddContext): FoundMark[] {
  const tags = new Set(given);
  return [...message.matchAll(MARK)].flatMap((match): FoundMark[] => {
    const [typed] = match;
    const meaning = plain.includes(typed) ? null : meaningOf(match);
    if (meaning === null) return [];
    if (meaning.kind === 'tag') {
      if (!tags.has(meaning.tag) && tags.size >= MAX_TAGS) return [];
      tags.add(meaning.tag);
    }
    return [{ mark: { ...meaning, typed }, at: match.index }];
  });
}

function meaningOf([, tag, word, amount, unit]: RegExpExecArray): Meaning | null {
  if (tag !== undefined) return TICKET.test(tag) ? null : { kind: 'tag', tag };
  if (word !== undefined) {
    const priority = PRIORITIES.get(word.toLowerCase());
    return priority === undefined ? null : { kind: 'priority', priority };
  }
  const minutes = Number(amount) * (UNIT_MINUTES[unit ?? ''] ?? NaN);
  return minutes <= MAX_EXPIRY_MINUTES ? { kind: 'time', minutes } : null;
}

// Closes the gaps of the marks, and only those; a line of nothing but marks goes as a whole.
function without(message: string, marks: readonly FoundMark[]): string {
  const lines: string[] = [];
  let start = 0;
  let next = 0;
  for (const line of message.split('\n')) {
    const end = start + line.length;
    const inLine: FoundMark[] = [];
    for (let found = marks[next]; found !== undefined && found.at <= end; found = marks[next]) {
      inLine.push(found);
      next += 1;
    }
    const rest = inLine.length === 0 ? line : lineWithout(line, start, inLine);
    if (inLine.length === 0 || rest !== '') lines.push(rest);
    start = end + 1;
  }
  return lines.join('\n').trim();
}

function lineWithout(line: string, start: number, marks: readonly FoundMark[]): string {
  let rest = '';
  let from = 0;
  for (const { at, mark } of marks) {
    rest += line.slice(from, at - start);
    from = at - start + mark.typed.length;
    if (/^\s/.test(line.slice(from, from + 1))) from += 1;
    else if (/\s/.test(rest.charAt(rest.length - 1))) rest = rest.slice(0, -1);
  }
  return (rest + line.slice(from)).trimEnd();
}
