// Marks in a subject (`#tag`, `!high`), and reply prefixes in many languages. Pure and linear.
import type { Priority } from '#core/contract/index.ts';

/** A subject without its marks. */
export interface MarkedSubject {
  /** One line, trimmed; empty when there was nothing but marks. */
  text: string;
  /** In the order they were written, without `#`. */
  tags: readonly string[];
  /** The last mark counts. */
  priority?: Priority;
}

const MARK =
  /(?<=^|\s)(?:#(\p{L}(?:[\p{L}\p{N}_/.-]{0,48}[\p{L}\p{N}_])?)|!(high|urgent|important|normal|low))(?=[\s,;:!?)]|\.?$|\. )/giu;
/** `#INC0012345`, `#GH-12`: numbers of tickets, which belong to the sentence. */
const TICKET = /^\p{L}{1,5}[-_]?\d{2,}/u;

/** Placeholder for a removed mark; no subject has it. */
const REMOVED = '\uFFFF';

const PRIORITIES: Readonly<Record<string, Priority>> = {
  high: 'high',
  urgent: 'high',
  important: 'high',
  normal: 'normal',
  low: 'low',
};

/**
 * Takes the marks out of a subject: `#word` (a letter first, at most 50 characters, not a ticket's number) is
 * a tag; `!high`, `!urgent`, `!important`, `!normal` and `!low` are the priority. At most 20 tags.
 */
export function readMarks(subject: string): MarkedSubject {
  if (!subject.includes('#') && !subject.includes('!')) return { text: subject.trim(), tags: [] };
  const tags: string[] = [];
  let priority: Priority | undefined;
  const text = subject.replace(MARK, (all, tag: string | undefined, mark: string | undefined) => {
    if (mark !== undefined) {
      priority = PRIORITIES[mark.toLowerCase()];
      return REMOVED;
    }
    const word = tag ?? '';
    if (TICKET.test(word) || tags.length >= 20) return all;
    if (!tags.includes(word)) tags.push(word);
    return REMOVED;
  });
  return { text: withoutGaps(text), tags, ...(priority === undefined ? {} : { priority }) };
}

// Closes the gaps of removed marks, and only those.
function withoutGaps(text: string): string {
  return text
    .replace(/\s?\uFFFF(?=[,;:.!?)])/g, '')
    .replace(/\uFFFF\s?/g, '')
    .trim();
}

const REPLY = 're|aw|antw|antwort|sv|vs|ynt|odp|rif|ref|r|res|resp|bls|atb|ha|回复|回覆|答复|답장|回信';
const FORWARD = 'fwd?|fw|wg|tr|i|rv|enc|vb|vl|vs|doorst|pd|továbbítás|ilt|yml|转发|轉寄|전달|転送';
const PREFIX = new RegExp(
  `^\\s{0,4}(?:\\[[^\\]]{1,40}\\]\\s{0,4})?(?:(${REPLY})|(${FORWARD}))(?:\\s?[[(]\\d{1,3}[\\])]|\\^?\\d{1,2})?\\s{0,2}[:：]`,
  'iu',
);
/** Short words that a subject may begin with without being a reply. */
const DOUBTFUL = new Set(['r', 'i', 'tr', 'vs', 'ref', 'enc', 'ha', 'pd', 'vl', 'res', 'resp', 'rif']);

/** A subject without its chain of prefixes. */
export interface BareSubject {
  text: string;
  /** The meaning of the outermost prefix. */
  kind: 'reply' | 'forward' | null;
}

/** Removes all prefixes such as `Re:`, `AW:`, `Fwd:`; the `[name]` of a list before one stays. */
export function barePrefixes(subject: string): BareSubject {
  let text = subject.trim();
  let kind: BareSubject['kind'] = null;
  // Mozilla's way: [Fwd: …]
  const bracketed = /^\[(?:fwd?|wg|tr):\s*(.+)\]$/iu.exec(text)?.[1];
  if (bracketed !== undefined) return { text: barePrefixes(bracketed).text, kind: 'forward' };
  for (let turn = 0; turn < 30; turn++) {
    const match = PREFIX.exec(text);
    if (match === null) break;
    const word = (match[1] ?? match[2] ?? '').toLowerCase();
    const rest = text.slice(match[0].length);
    // "I: …" may be words of the subject; in capitals and before a blank it is a mail program's prefix.
    if (DOUBTFUL.has(word) && !(match[1] ?? match[2] ?? '').match(/^\p{Lu}/u)) break;
    if (rest.trim() === '') break;
    kind ??= match[1] !== undefined ? 'reply' : 'forward';
    const list = /^\s{0,4}(\[[^\]]{1,40}\])/.exec(match[0])?.[1];
    text = (list === undefined ? rest : `${list} ${rest.trim()}`).trim();
    if (list !== undefined) {
      const bare = barePrefixes(rest);
      return { text: bare.text.startsWith(list) ? bare.text : `${list} ${bare.text}`, kind };
    }
  }
  return { text, kind };
}

/** The subject with at most one prefix, in the common words: `Re: Re: AW: Fwd: X` is `Re: X`. */
export function collapsePrefixes(subject: string): string {
  const { text, kind } = barePrefixes(subject);
  return kind === null ? text : `${kind === 'reply' ? 'Re' : 'Fwd'}: ${text}`;
}
