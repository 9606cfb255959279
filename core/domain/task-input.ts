// Trims input of a sender and checks it against the limits of the contract: a draft, or the fields at fault.
import {
  DEFAULT_EXPIRY_MINUTES,
  MAX_CONTENT_CHARACTERS,
  MAX_EXPIRY_MINUTES,
  MAX_KEY_CHARACTERS,
  MAX_METADATA_BYTES,
  MAX_TAG_CHARACTERS,
  MAX_TAGS,
  type CreateTask,
  type EditTask,
  type ErrorDetail,
} from '../contract/index.ts';
import { isBlank } from './blank.ts';
import type { Metadata, TaskChanges, TaskDraft } from './task.ts';

/** A value, or why there is none. */
export type Checked<T> = { ok: true; value: T } | { ok: false; details: ErrorDetail[] };

/** How deep metadata may nest, counted from the object itself. */
export const MAX_METADATA_DEPTH = 32;

const ILL_FORMED = 'must be well-formed Unicode';

/** Checks what the schema cannot say and fills in the defaults. `path` prefixes field names (`tasks/3/`). */
export function toDraft(input: CreateTask, path = ''): Checked<TaskDraft> {
  const details: ErrorDetail[] = [];
  const content = checkContent(input.content, path, details);
  const tags = input.tags === undefined ? [] : checkTags(input.tags, path, details);
  const metadata = input.metadata === undefined ? {} : checkMetadata(input.metadata, path, details);
  const expiryMinutes = input.expiryMinutes ?? DEFAULT_EXPIRY_MINUTES;
  if (!Number.isInteger(expiryMinutes) || expiryMinutes < 1 || expiryMinutes > MAX_EXPIRY_MINUTES)
    details.push({
      field: `${path}expiryMinutes`,
      message: `must be a whole number from 1 to ${MAX_EXPIRY_MINUTES}`,
    });
  const dedupeKey = input.dedupeKey ?? null;
  if (dedupeKey !== null && (dedupeKey === '' || characters(dedupeKey) > MAX_KEY_CHARACTERS))
    details.push({ field: `${path}dedupeKey`, message: `must be 1 to ${MAX_KEY_CHARACTERS} characters` });
  if (dedupeKey?.isWellFormed() === false) details.push({ field: `${path}dedupeKey`, message: ILL_FORMED });
  if (details.length > 0) return { ok: false, details };
  return {
    ok: true,
    value: {
      content,
      priority: input.priority ?? 'normal',
      source: input.source ?? 'api',
      tags,
      metadata,
      expiryMinutes,
      dedupeKey,
      reopens: true,
      // Left out where it says nothing: the fingerprint of a repeated request is that of its drafts.
      ...(input.pinned === true ? { pinned: true } : {}),
    },
  };
}

/** Checks the fields of an edit; at least one must be given. */
export function toChanges(input: EditTask): Checked<TaskChanges> {
  const details: ErrorDetail[] = [];
  const value = checkChanges(input, '', details);
  if (details.length === 0 && Object.keys(value).length === 0)
    details.push({ field: '', message: 'give at least one of content, priority and tags' });
  return details.length > 0 ? { ok: false, details } : { ok: true, value };
}

/** The fields of an edit, trimmed; what is wrong with them is added to `details`. */
export function checkChanges(input: EditTask, path: string, details: ErrorDetail[]): TaskChanges {
  const value: TaskChanges = {};
  if (input.content !== undefined) value.content = checkContent(input.content, path, details);
  if (input.priority !== undefined) value.priority = input.priority;
  if (input.tags !== undefined) value.tags = checkTags(input.tags, path, details);
  return value;
}

function checkContent(content: string, path: string, details: ErrorDetail[]): string {
  const trimmed = content.trim();
  if (isBlank(trimmed)) details.push({ field: `${path}content`, message: 'Message is required' });
  else if (!hasAtMostCharacters(trimmed, MAX_CONTENT_CHARACTERS))
    details.push({
      field: `${path}content`,
      message: `must be at most ${MAX_CONTENT_CHARACTERS.toLocaleString('en-US')} characters`,
    });
  if (!trimmed.isWellFormed()) details.push({ field: `${path}content`, message: ILL_FORMED });
  return trimmed;
}

function checkTags(tags: readonly string[], path: string, details: ErrorDetail[]): string[] {
  const normalised = normaliseTags(tags);
  if (normalised.length > MAX_TAGS)
    details.push({ field: `${path}tags`, message: `must be at most ${MAX_TAGS} tags` });
  normalised.forEach((tag, index) => {
    if (!hasAtMostCharacters(tag, MAX_TAG_CHARACTERS))
      details.push({
        field: `${path}tags/${index}`,
        message: `must be at most ${MAX_TAG_CHARACTERS} characters`,
      });
    if (!tag.isWellFormed()) details.push({ field: `${path}tags/${index}`, message: ILL_FORMED });
  });
  return normalised;
}

/** Trims, drops empty and repeated tags, keeps the order. */
export function normaliseTags(tags: readonly string[]): string[] {
  return [...new Set(tags.map((tag) => tag.trim()).filter((tag) => tag !== ''))];
}

function checkMetadata(metadata: Metadata, path: string, details: ErrorDetail[]): Metadata {
  const field = `${path}metadata`;
  if (nests(metadata, MAX_METADATA_DEPTH)) {
    details.push({ field, message: `must not nest deeper than ${MAX_METADATA_DEPTH} levels` });
    return {};
  }
  if (!isWellFormed(metadata)) details.push({ field, message: ILL_FORMED });
  const bytes = Buffer.byteLength(JSON.stringify(metadata));
  if (bytes > MAX_METADATA_BYTES)
    details.push({ field, message: `must be at most ${MAX_METADATA_BYTES} bytes as JSON; this is ${bytes}` });
  return metadata;
}

function nests(value: unknown, depth: number): boolean {
  if (typeof value !== 'object' || value === null) return false;
  if (depth === 0) return true;
  return Object.values(value).some((inner) => nests(inner, depth - 1));
}

/** Whether every text and every name in it is well-formed. */
function isWellFormed(value: unknown): boolean {
  if (typeof value === 'string') return value.isWellFormed();
  if (typeof value !== 'object' || value === null) return true;
  return Object.entries(value).every(([name, inner]) => name.isWellFormed() && isWellFormed(inner));
}

function characters(text: string): number {
  let count = 0;
  for (const _ of text) count++;
  return count;
}

// Counting code points is only needed when there are more code units than the limit.
function hasAtMostCharacters(text: string, limit: number): boolean {
  return text.length <= limit || (text.length <= 2 * limit && characters(text) <= limit);
}
