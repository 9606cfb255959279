// What a sender may say: every limit at its edge, the field named when it is crossed, nothing changed beyond
// trimming.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { MAX_METADATA_BYTES, type CreateTask } from '../contract/index.ts';
import { MAX_METADATA_DEPTH, normaliseTags, toChanges, toDraft } from './task-input.ts';
import type { Metadata } from './task.ts';

const draftOf = (fields: Partial<CreateTask>, path?: string) => toDraft({ content: 'a', ...fields }, path);
const fieldsOf = (checked: ReturnType<typeof toDraft | typeof toChanges>) =>
  checked.ok ? [] : checked.details.map(({ field }) => field);

function nested(depth: number): Metadata {
  let value: Metadata = {};
  for (let level = 1; level < depth; level++) value = { in: value };
  return value;
}

describe('a submission', () => {
  it('needs only content and has defaults for the rest', () => {
    expect(toDraft({ content: '  backup failed\n' })).toEqual({
      ok: true,
      value: {
        content: 'backup failed',
        priority: 'normal',
        source: 'api',
        tags: [],
        metadata: {},
        expiryMinutes: 1440,
        dedupeKey: null,
        reopens: true,
      },
    });
  });

  it('needs something to see, also in an edit; beside that, what nobody sees stays', () => {
    const refused = { ok: false, details: [{ field: 'content', message: 'Message is required' }] };
    expect(toDraft({ content: '\u200B \u3164\u2800' })).toEqual(refused);
    expect(toChanges({ content: '\uFEFF\u00AD' })).toEqual(refused);
    expect(toDraft({ content: '\u200Bup\u200B' })).toMatchObject({ value: { content: '\u200Bup\u200B' } });
  });

  it('keeps everything that is within the limits', () => {
    const input: CreateTask = {
      content: '🛟'.repeat(10_000),
      priority: 'high',
      source: 'webhook',
      tags: Array.from({ length: 20 }, (_, index) => `${index}`.padEnd(50, '🛟').slice(0, 50)),
      metadata: { a: [1, null, 'x'] },
      expiryMinutes: 10_080,
      dedupeKey: '🛟'.repeat(255),
    };
    expect(toDraft({ ...input, tags: ['🛟'.repeat(50)] })).toEqual({
      ok: true,
      value: { ...input, tags: ['🛟'.repeat(50)], reopens: true },
    });
    expect(fieldsOf(draftOf({ expiryMinutes: 1 }))).toEqual([]);
  });

  it.each<[string, Partial<CreateTask>, string]>([
    ['blank content', { content: ' \n\t\u00a0' }, 'content'],
    ['10,001 characters', { content: 'x'.repeat(10_001) }, 'content'],
    ['10,001 emoji', { content: '🛟'.repeat(10_001) }, 'content'],
    ['half a character in content', { content: 'a\ud83d' }, 'content'],
    ['21 tags', { tags: Array.from({ length: 21 }, (_, index) => `t${index}`) }, 'tags'],
    ['a tag of 51 characters', { tags: ['ok', 'x'.repeat(51)] }, 'tags/1'],
    ['half a character in a tag', { tags: ['\udc00'] }, 'tags/0'],
    ['no lifetime', { expiryMinutes: 0 }, 'expiryMinutes'],
    ['a negative lifetime', { expiryMinutes: -1 }, 'expiryMinutes'],
    ['a lifetime beyond a week', { expiryMinutes: 10_081 }, 'expiryMinutes'],
    ['half a minute more', { expiryMinutes: 1.5 }, 'expiryMinutes'],
    ['no number', { expiryMinutes: Number.NaN }, 'expiryMinutes'],
    ['an empty dedupe key', { dedupeKey: '' }, 'dedupeKey'],
    ['a dedupe key of 256 characters', { dedupeKey: 'k'.repeat(256) }, 'dedupeKey'],
    ['metadata that nests too deep', { metadata: nested(MAX_METADATA_DEPTH + 1) }, 'metadata'],
  ])('is refused for %s, which names the field', (_, fields, field) => {
    expect(fieldsOf(draftOf(fields))).toEqual([field]);
    expect(fieldsOf(draftOf(fields, 'tasks/3/'))).toEqual([`tasks/3/${field}`]);
  });

  it('counts metadata in bytes of JSON, to the last one', () => {
    const empty = JSON.stringify({ a: '' }).length;
    const fits = { a: 'x'.repeat(MAX_METADATA_BYTES - empty) };
    expect(fieldsOf(draftOf({ metadata: fits }))).toEqual([]);
    expect(fieldsOf(draftOf({ metadata: { a: `${fits.a}x` } }))).toEqual(['metadata']);
    expect(fieldsOf(draftOf({ metadata: { a: `${fits.a.slice(1)}é` } }))).toEqual(['metadata']);
    expect(fieldsOf(draftOf({ metadata: nested(MAX_METADATA_DEPTH) }))).toEqual([]);
  });

  it('survives metadata that nests a hundred thousand levels', () => {
    expect(fieldsOf(draftOf({ metadata: nested(100_000) }))).toEqual(['metadata']);
  });

  it('names every field at fault at once', () => {
    const bad = draftOf({ content: '', tags: ['x'.repeat(51)], expiryMinutes: 0, dedupeKey: '' });
    expect(fieldsOf(bad)).toEqual(['content', 'tags/0', 'expiryMinutes', 'dedupeKey']);
  });
});

describe('tags', () => {
  it('are trimmed, without empty and repeated ones, in their order', () => {
    expect(normaliseTags([' b ', 'a', '', 'b', '  ', 'A'])).toEqual(['b', 'a', 'A']);
    fc.assert(
      fc.property(fc.array(fc.string({ maxLength: 5 })), (tags) => {
        const normalised = normaliseTags(tags);
        expect(new Set(normalised).size).toBe(normalised.length);
        expect(normalised.every((tag) => tag !== '' && tag === tag.trim())).toBe(true);
        expect(normaliseTags(normalised)).toEqual(normalised);
        expect(new Set(normalised)).toEqual(new Set(tags.map((tag) => tag.trim()).filter(Boolean)));
      }),
    );
  });
});

describe('an edit', () => {
  it('has only what was named, checked as in a submission', () => {
    expect(toChanges({ content: ' b ' })).toEqual({ ok: true, value: { content: 'b' } });
    expect(toChanges({ priority: 'low', tags: ['x', 'x'] })).toEqual({
      ok: true,
      value: { priority: 'low', tags: ['x'] },
    });
    expect(fieldsOf(toChanges({ content: ' ', tags: ['x'.repeat(51)] }))).toEqual(['content', 'tags/0']);
  });

  it('is refused when it names nothing', () => {
    expect(toChanges({})).toMatchObject({
      ok: false,
      details: [{ message: expect.stringContaining('at least one') }],
    });
  });
});
