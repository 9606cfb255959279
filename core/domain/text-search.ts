// Whether texts of a task contain what is searched for, ignoring case: one definition for every store. A
// letter matches itself, its capital and its small form, where those are one character each.
import type { Task } from './task.ts';

/** What a text search looks at. */
export type SearchedTexts = Pick<Task, 'content' | 'tags' | 'source' | 'metadata' | 'intake'>;

/** Fields of the metadata that are searched when they are texts. */
export const SEARCHED_METADATA = ['body', 'from'] as const;

/** Answers whether one of the texts contains `text`, which is not empty. */
export function createTextSearch(text: string): (texts: SearchedTexts) => boolean {
  const pattern = new RegExp(patternOf(text), 'u');
  const isIn = (value: unknown): boolean => typeof value === 'string' && pattern.test(value);
  return ({ content, tags, source, metadata, intake }) =>
    isIn(content) ||
    tags.some(isIn) ||
    isIn(source) ||
    SEARCHED_METADATA.some((name) => isIn(metadata[name])) ||
    isIn(intake?.name);
}

/** A regular expression for the text in either case: of ECMAScript with the flag `u`, and of PCRE. */
export function patternOf(text: string): string {
  return Array.from(text, (character) => {
    const forms = formsOf(character);
    return forms.length === 1 ? escapeCharacter(character) : `[${forms.join('')}]`;
  }).join('');
}

/** The same text with A to Z as a to z. */
export function lowerAscii(text: string): string {
  return text.replace(/[A-Z]/g, (letter) => letter.toLowerCase());
}

/**
 * The longest part of the text that each match contains in the form of {@link lowerAscii}: without letters
 * beyond ASCII that have two forms. Perhaps empty.
 */
export function plainPartOf(text: string): string {
  const parts = [''];
  for (const character of text)
    if (character > '\u007F' && formsOf(character).length > 1) parts.push('');
    else parts.push((parts.pop() ?? '') + lowerAscii(character));
  return parts.reduce((longest, part) => (part.length > longest.length ? part : longest));
}

/** The character, its capital and its small form, as far as they are one character each. */
function formsOf(character: string): string[] {
  const upper = character.toUpperCase();
  const forms = [character, upper, character.toLowerCase(), upper.toLowerCase()];
  return [...new Set(forms.filter((form) => Array.from(form).length === 1))];
}

/** A pattern cannot contain a NUL itself. */
function escapeCharacter(character: string): string {
  if (character === '\0') return String.raw`\x00`;
  return /[\\^$.*+?()[\]{}|]/.test(character) ? `\\${character}` : character;
}
