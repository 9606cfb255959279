// Makes a sender's values fit the limits of a task: the beginning stays, and a cut is marked.
import {
  MAX_CONTENT_CHARACTERS,
  MAX_METADATA_BYTES,
  MAX_TAG_CHARACTERS,
  MAX_TAGS,
} from '../contract/index.ts';
import { clip } from '../text/clean-text.ts';
import { isBlank } from './blank.ts';
import { MAX_METADATA_DEPTH, normaliseTags } from './task-input.ts';
import type { Metadata } from './task.ts';

const ELLIPSIS = '…';
/** Texts are not cut below this many characters before whole fields are left out. */
const MIN_TEXT_CHARACTERS = 80;

/** Content of a task: well-formed, trimmed, 1 to 10,000 characters; `fallback` where nothing can be seen. */
export function fitContent(text: string, fallback: string): string {
  const trimmed = clip(text.toWellFormed().replaceAll('\0', '').trim(), MAX_CONTENT_CHARACTERS);
  return isBlank(trimmed) ? fallback : trimmed;
}

/** Tags of a task: at most 20, each at most 50 characters; the first ones stay. */
export function fitTags(tags: readonly string[]): string[] {
  const clean = tags.map((tag) =>
    clip(
      tag
        .toWellFormed()
        .replace(/[\s,]+/g, ' ')
        .trim(),
      MAX_TAG_CHARACTERS,
    ),
  );
  return normaliseTags(clean).slice(0, MAX_TAGS);
}

/** An `http:` or `https:` address without credentials, at most 2,000 characters; else null. */
export function fitUrl(url: string | undefined): string | null {
  if (url === undefined || url.length > 2000 || !URL.canParse(url)) return null;
  const address = new URL(url);
  // A link must not carry credentials.
  address.username = address.password = '';
  return address.protocol === 'http:' || address.protocol === 'https:' ? address.href : null;
}

/**
 * Metadata of at most 16 KiB as JSON and 32 levels: the longest texts are cut first, then the largest fields
 * left out. `shownText` is applied to each text.
 */
export function fitMetadata(
  metadata: Metadata,
  shownText: (text: string) => string = (text) => text,
): Metadata {
  let fitted = withoutDepth(metadata, MAX_METADATA_DEPTH, shownText) as Metadata;
  let bytes = sizeOf(fitted);
  for (let max = 4096; bytes > MAX_METADATA_BYTES && max >= MIN_TEXT_CHARACTERS; max = Math.floor(max / 2)) {
    fitted = withShortTexts(fitted, max) as Metadata;
    bytes = sizeOf(fitted);
  }
  if (bytes <= MAX_METADATA_BYTES) return fitted;
  const bySize = Object.entries(fitted).toSorted(([, a], [, b]) => sizeOf(a) - sizeOf(b));
  const fitting: Metadata = {};
  let used = sizeOf({ leftOut: bySize.map(([name]) => clip(name, 100)).slice(0, 50) });
  const leftOut: string[] = [];
  for (const [name, value] of bySize) {
    const size = sizeOf({ [name]: value });
    if (used + size > MAX_METADATA_BYTES) {
      if (leftOut.length < 50) leftOut.push(clip(name, 100));
      continue;
    }
    fitting[name] = value;
    used += size;
  }
  return { ...fitting, leftOut };
}

function sizeOf(value: unknown): number {
  return Buffer.byteLength(JSON.stringify(value) ?? '');
}

function withoutDepth(value: unknown, depth: number, shownText: (text: string) => string): unknown {
  if (typeof value === 'string') return shownText(value.toWellFormed());
  if (typeof value !== 'object' || value === null) return value;
  if (depth === 0) return ELLIPSIS;
  if (Array.isArray(value)) return value.map((inner) => withoutDepth(inner, depth - 1, shownText));
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => [
      name.toWellFormed(),
      withoutDepth(inner, depth - 1, shownText),
    ]),
  );
}

function withShortTexts(value: unknown, max: number): unknown {
  if (typeof value === 'string') return clip(value, max);
  if (Array.isArray(value)) return value.map((inner) => withShortTexts(inner, max));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, withShortTexts(inner, max)]));
}
