// Makes tasks of a decoded payload: by the owner's mapping, else the sender's preset, else a summary. Always
// something readable, with an excerpt of the payload in each task's metadata.
import type { ParsedDelivery, ParsedTask } from '#core/domain/delivery.ts';
import { filled } from '#core/domain/filled.ts';
import { fingerprintOf } from '#core/domain/hash.ts';
import type { IntakeConfig } from '#core/ports/adapter/intake.ts';
import type { Body } from './decode/body.ts';
import { applyMapping } from './mapping/mapping.ts';
import { PROTOCOL_HEADER, type Preset } from './presets/preset.ts';
import { key } from './presets/result.ts';
import { recognise } from './presets/recognise.ts';
import { payloadExcerpt } from './redaction/payload-excerpt.ts';
import { summarise } from './summary/summary.ts';

/** Metadata is at most 16 KiB; the rest is for the address, the intake's name and what the program adds. */
const METADATA_BYTES = 15 * 1024;
/** A delivery of more tasks than this stores less of the payload in each. */
const MANY_TASKS = 10;
const PART_BYTES = 3 * 1024;
const MAX_TASKS = 500;

/** Never throws. */
export function interpret(
  { preset: presetId, mapping }: Pick<IntakeConfig, 'preset' | 'mapping'>,
  body: Body,
  presets: readonly Preset[],
): ParsedDelivery {
  // Another hub's protocol says more than what the owner once chose.
  const wanted = body.headers[PROTOCOL_HEADER] ?? presetId;
  const named = presets.find(({ id }) => id === wanted) ?? null;
  const known = named === null || named.id === 'generic' ? recognise(body, presets) : named;
  const read = known === null ? null : readWith(known, body);
  const sender = read === null ? null : (known?.id ?? null);
  if (mapping === null) return finish(read ?? summarise(body), body, sender);

  const event = (read ?? summarise(body)).event;
  const mapped = mapWith(mapping, body);
  if (mapped.ok) return finish({ ...mapped.parsed, ...(event === undefined ? {} : { event }) }, body, sender);
  const instead = read !== null && read.tasks.length > 0 ? read : summarise(body);
  return finish({ ...instead, failed: mapped.reason }, body, sender);
}

// Presets do not throw; should one do so all the same, the summary takes its place.
function readWith(preset: Preset, body: Body): ParsedDelivery | null {
  try {
    return preset.read(body);
  } catch {
    return null;
  }
}

function mapWith(mapping: NonNullable<IntakeConfig['mapping']>, body: Body): ReturnType<typeof applyMapping> {
  try {
    return applyMapping(mapping, body);
  } catch {
    return { ok: false, reason: 'The mapping could not be carried out.' };
  }
}

function finish(parsed: ParsedDelivery, body: Body, sender: string | null): ParsedDelivery {
  const parts = parsed.tasks.length + parsed.resolves.length > 1 ? partsOf(body.value) : [];
  const isMany = parsed.tasks.length > MANY_TASKS;
  let whole: unknown;
  const tasks = parsed.tasks.slice(0, MAX_TASKS).map((task) => {
    const { payload: given, ...metadata } = task.metadata ?? {};
    const own = { ...(sender === null ? {} : { sender }), ...metadata };
    const room = METADATA_BYTES - Buffer.byteLength(JSON.stringify(own));
    const part = given ?? partFor(task, parts, parsed.tasks);
    const limit = isMany ? Math.min(PART_BYTES, room) : room;
    let payload: unknown = null;
    if (limit > 0 && !addsNothing(body, task))
      payload =
        isMany && part === undefined
          ? (whole ??= payloadExcerpt(body.value, PART_BYTES))
          : payloadExcerpt(part ?? body.value, limit);
    const repeats = task.dedupeKey ?? sameTextKey(task, body);
    const metadataOf = payload === null ? own : { ...own, payload };
    return { ...task, ...filled({ dedupeKey: repeats }), metadata: metadataOf };
  });
  return { ...parsed, tasks };
}

/**
 * Clients of other hubs send again what was not answered in time, without an id: the same text counts on the
 * task that is there.
 */
function sameTextKey({ content, url = '' }: ParsedTask, { headers }: Body): string | null {
  const protocol = headers[PROTOCOL_HEADER];
  return protocol === undefined ? null : key(protocol, 'same', fingerprintOf(`${content}\n${url}`));
}

function addsNothing({ form, text }: Body, { content }: ParsedTask): boolean {
  return form === 'empty' || form === 'bytes' || (form === 'text' && text.trim() === content);
}

/** The lists of objects in a payload. */
function partsOf(value: unknown): object[][] {
  if (typeof value !== 'object' || value === null) return [];
  const lists = Array.isArray(value)
    ? [value as unknown[]]
    : Object.values(value).filter((field) => Array.isArray(field));
  return lists
    .map((list) =>
      (list as unknown[]).slice(0, 2 * MAX_TASKS).filter((item) => typeof item === 'object' && item !== null),
    )
    .filter((list) => list.length > 1);
}

/** The part that a task is about: the one whose id is in its key, else the one at its place; or undefined. */
function partFor(task: ParsedTask, parts: readonly object[][], tasks: readonly ParsedTask[]): unknown {
  const key = task.dedupeKey ?? '';
  for (const list of parts) {
    const named = key === '' ? undefined : list.find((item) => idsOf(item).some((id) => key.includes(id)));
    if (named !== undefined) return named;
    if (tasks.length > 1 && list.length === tasks.length) return list[tasks.indexOf(task)];
  }
  return undefined;
}

function idsOf(item: object): string[] {
  const { fingerprint, id, uuid } = item as Record<string, unknown>;
  return [fingerprint, id, uuid].filter(
    (each): each is string => typeof each === 'string' && each.length >= 8,
  );
}
