// Short texts of a summary: one line, tidy lines, a title with its facts. Masked, well-formed and bounded.
import { maskText } from '../redaction/mask.ts';

const MAX_FIRST_LINE_CHARACTERS = 2000;
/** A line before and a line after Markdown, at Datadog. */
const MARKDOWN_MARK = '%%%';

/** A name for programs as words: `order.created` and `OrderCreated` are "Order created". */
export function spoken(name: string): string {
  if (/\s/.test(name)) return name.charAt(0).toUpperCase() + name.slice(1);
  const words = name
    .replace(/([a-z\d])([A-Z])/g, '$1 $2')
    .split(/[._:/\s-]+/)
    .filter((word) => word !== '')
    .join(' ')
    .toLowerCase();
  return words === '' ? name : words.charAt(0).toUpperCase() + words.slice(1);
}

export function join(title: string, facts: readonly string[]): string {
  const list = facts.join(', ');
  if (title === '') return list === '' ? 'Received a delivery without readable fields' : `Received: ${list}`;
  if (list === '') return title;
  return /[!?…]$|: /.test(title) ? `${title} (${list})` : `${title.replace(/[\s.:,;]+$/, '')}: ${list}`;
}

export function firstLine(text: string): string {
  const start = text.trimStart().slice(0, MAX_FIRST_LINE_CHARACTERS);
  return (start.split('\n').find((each) => !['', MARKDOWN_MARK].includes(each.trim())) ?? '').trim();
}

export function line(text: string, limit: number): string {
  const start = text.slice(0, limit * 4).replaceAll(/[\s\p{Cc}]+/gu, ' ');
  const single = maskText(start.trim()).toWellFormed();
  const cut = single.slice(0, limit - 1).trimEnd();
  return single.length <= limit ? single : `${cut.toWellFormed()}…`;
}

export function tidy(text: string, limit: number): string {
  const lines = text
    .slice(0, limit)
    .replaceAll(/\r\n?/g, '\n')
    .split('\n')
    .map((each) => each.trimEnd())
    .filter((each) => each !== MARKDOWN_MARK)
    .join('\n')
    .replaceAll(/\n{3,}/g, '\n\n')
    // No screen shows control characters.
    .replaceAll(/(?![\n\t])\p{Cc}/gu, '')
    .trim()
    .toWellFormed();
  return text.length > limit ? `${lines}…` : lines;
}

export function sizeText(bytes: number): string {
  if (bytes < 1000) return bytes === 1 ? '1 byte' : `${bytes} bytes`;
  return bytes < 1_000_000 ? `${Math.round(bytes / 1000)} kB` : `${(bytes / 1_000_000).toFixed(1)} MB`;
}

/** Whether a text is for people: not blank, no address, no JSON. */
export function isTelling(text: string): boolean {
  const start = text.slice(0, 50).trim();
  return /[\p{L}\p{N}]/u.test(start) && !/^(?:https?:|data:|[{]|\[["{[])/i.test(start);
}
