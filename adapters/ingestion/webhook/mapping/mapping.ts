// Makes a task by the owner's templates, one for each field. Faults are answered as a sentence, never thrown.
import { MAX_KEY_CHARACTERS, type ErrorDetail } from '#core/contract/index.ts';
import { filled } from '#core/domain/filled.ts';
import { fingerprintOf } from '#core/domain/hash.ts';
import { isBlank } from '#core/domain/blank.ts';
import type { Mapping } from '#core/domain/intake.ts';
import type { ParsedDelivery } from '#core/domain/delivery.ts';
import type { Body } from '../decode/body.ts';
import { createTemplateBudget, parseTemplate, renderTemplate } from './liquid.ts';
import { priorityOf } from '#core/text/severity.ts';

const FIELDS = ['content', 'priority', 'tags', 'url', 'dedupeKey', 'filter', 'resolved'] as const;
type Field = (typeof FIELDS)[number];

/** Fields of a task that people see. */
const SHOWN: ReadonlySet<Field> = new Set(['content', 'tags', 'url']);

const MAX_TAGS = 20;

/** Templates that do not parse, by field. */
export function checkMapping(mapping: Mapping): ErrorDetail[] {
  const details = FIELDS.flatMap((field) => {
    const template = mapping[field];
    const parsed = template === undefined ? { ok: true as const } : parseTemplate(template);
    return parsed.ok ? [] : [{ field: `mapping/${field}`, message: parsed.message }];
  });
  if (!isMissing(mapping.resolved) && isMissing(mapping.dedupeKey)) {
    const message = 'Must be given with resolved: it names the task that is over.';
    details.push({ field: 'mapping/dedupeKey', message });
  }
  return details;
}

function isMissing(text: string | undefined): boolean {
  return text === undefined || isBlank(text);
}

/** The parsed delivery that a mapping makes, or why it makes none. */
export function applyMapping(
  mapping: Mapping,
  body: Body,
): { ok: true; parsed: ParsedDelivery } | { ok: false; reason: string } {
  const shown = variablesOf(body.value, body.headers);
  // Fields that are not shown see the payload with its credentials: a filter may compare a token, and keys
  // must differ.
  const whole = body.raw === undefined ? shown : variablesOf(body.raw, body.headers);
  const budget = createTemplateBudget();
  const problems: string[] = [];
  const render = (field: Field, variables = SHOWN.has(field) ? shown : whole): string | null => {
    const template = mapping[field];
    if (isMissing(template) || template === undefined) return null;
    const rendered = renderTemplate(template, variables, budget);
    if (rendered.ok) return rendered.text.trim();
    problems.push(`The mapping's ${field} failed. ${rendered.message}`);
    return null;
  };
  const failure = () => ({ ok: false as const, reason: problems[0] ?? '' });

  const filter = render('filter');
  if (problems.length > 0) return failure();
  if (filter !== null && /^(?:|false|no|0|ignore)$/i.test(filter)) {
    const ignored = 'The filter of the mapping ignored it.';
    return { ok: true, parsed: { tasks: [], resolves: [], ignored } };
  }
  const dedupeKey = keyWithout(render('dedupeKey'), whole === shown ? null : render('dedupeKey', shown));
  const resolved = render('resolved');
  if (problems.length > 0) return failure();
  if (resolved !== null && /^(?:true|yes|1)$/i.test(resolved)) {
    const reason = "The mapping's dedupeKey came out empty, so the task that is over cannot be told.";
    return dedupeKey === null
      ? { ok: false, reason }
      : { ok: true, parsed: { tasks: [], resolves: [dedupeKey] } };
  }
  const content = render('content');
  const priority = priorityOf(render('priority') ?? '');
  const url = render('url');
  const tags = tagsOf(render('tags'));
  if (problems.length > 0) return failure();
  if (content === null || isBlank(content)) {
    return { ok: false, reason: "The mapping's content came out empty: the payload has none of its fields." };
  }
  const task = { content, ...filled({ priority, tags, url, dedupeKey }) };
  return { ok: true, parsed: { tasks: [task], resolves: [] } };
}

/** Keys are shown, so one with a credential becomes its fingerprint. `shown`: the key without it, or null. */
function keyWithout(text: string | null, shown: string | null): string | null {
  const key = keyOf(text);
  return key === null || shown === null || shown === text ? key : fingerprintOf(key);
}

function keyOf(text: string | null): string | null {
  if (text === null || text === '') return null;
  return text.length <= MAX_KEY_CHARACTERS ? text : fingerprintOf(text);
}

function tagsOf(text: string | null): string[] {
  return (text ?? '')
    .split(',', 200)
    .map((tag) => tag.trim())
    .filter((tag) => tag !== '')
    .slice(0, MAX_TAGS);
}

/** Variables of a template: the payload's fields, and over them `payload` and `headers`. */
function variablesOf(value: unknown, headers: Body['headers']): Record<string, unknown> {
  const budget = { left: MAX_NODES };
  const payload = bounded(value, budget);
  const fields = typeof payload === 'object' && payload !== null && !Array.isArray(payload) ? payload : {};
  return Object.assign(Object.create(null), fields, { payload, headers }) as Record<string, unknown>;
}

// Templates see a bounded part of a payload, so that no single step takes long.
const MAX_NODES = 3000;
const MAX_CHILDREN = 200;
const MAX_TEXT_CHARACTERS = 10_000;

function bounded(value: unknown, budget: { left: number }): unknown {
  budget.left--;
  if (typeof value === 'string')
    return value.length <= MAX_TEXT_CHARACTERS ? value : value.slice(0, MAX_TEXT_CHARACTERS).toWellFormed();
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) {
    const items: unknown[] = [];
    for (const item of value as unknown[]) {
      if (items.length === MAX_CHILDREN || budget.left <= 0) break;
      items.push(bounded(item, budget));
    }
    return items;
  }
  const fields: [string, unknown][] = [];
  for (const name of Object.keys(value)) {
    if (fields.length === MAX_CHILDREN || budget.left <= 0) break;
    fields.push([name, bounded((value as Record<string, unknown>)[name], budget)]);
  }
  return Object.fromEntries(fields);
}
