// From a decoded payload to a reading: the owner's mapping, else the sender's preset, else a summary. Always something readable, and
// beside each task what it was made of.
import type { ParsedDelivery, ParsedTask } from '#core/domain/delivery.ts';
import type { IntakeConfig } from '#core/ports/adapter/intake.ts';
import type { Body } from './body.ts';
import { applyMapping } from './mapping.ts';
import type { Preset } from './preset.ts';
import { recognise } from './recognise.ts';
import { keepable } from './shrink.ts';
import { summarise } from './summary.ts';

/** Metadata is at most 16 KiB; the rest is for the address, the intake's name and what the program adds. */
const METADATA_BYTES = 15 * 1024;
/** Of each, where a delivery makes many tasks. */
const MANY_TASKS = 10;
const PART_BYTES = 3 * 1024;
const MAX_READING = 500;

/** What a delivery says. Never throws. */
export function interpret(
  { preset: presetId, mapping }: Pick<IntakeConfig, 'preset' | 'mapping'>,
  body: Body,
  presets: readonly Preset[],
): ParsedDelivery {
  const named = presets.find(({ id }) => id === presetId) ?? null;
  const known = named === null || named.id === 'generic' ? recognise(body, presets) : named;
  const read = known === null ? null : readWith(known, body);
  const sender = read === null ? null : (known?.id ?? null);
  if (mapping === null) return finish(read ?? summarise(body), body, sender);

  const event = (read ?? summarise(body)).event;
  const mapped = mapWith(mapping, body);
  if (mapped.ok)
    return finish({ ...mapped.reading, ...(event === undefined ? {} : { event }) }, body, sender);
  const instead = read !== null && read.tasks.length > 0 ? read : summarise(body);
  return finish({ ...instead, failed: mapped.reason }, body, sender);
}

// A preset reads anything without throwing; one that does not costs a readable task, not the delivery.
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

function finish(reading: ParsedDelivery, body: Body, sender: string | null): ParsedDelivery {
  const parts = reading.tasks.length + reading.resolves.length > 1 ? partsOf(body.value) : [];
  const isMany = reading.tasks.length > MANY_TASKS;
  let whole: unknown;
  const tasks = reading.tasks.slice(0, MAX_READING).map((task) => {
    const { payload: told, ...metadata } = task.metadata ?? {};
    const own = { ...(sender === null ? {} : { sender }), ...metadata };
    const room = METADATA_BYTES - Buffer.byteLength(JSON.stringify(own));
    const part = told ?? partFor(task, parts, reading.tasks);
    const limit = isMany ? Math.min(PART_BYTES, room) : room;
    let payload: unknown;
    if (limit <= 0 || addsNothing(body, task)) payload = null;
    else if (part === undefined)
      payload = isMany ? (whole ??= keepable(body.value, PART_BYTES)) : keepable(body.value, limit);
    else payload = keepable(part, limit);
    return { ...task, metadata: payload === null ? own : { ...own, payload } };
  });
  return { ...reading, tasks, resolves: reading.resolves.slice(0, MAX_READING) };
}

function addsNothing({ form, text }: Body, { content }: ParsedTask): boolean {
  return form === 'empty' || form === 'bytes' || (form === 'text' && text.trim() === content);
}

/** Lists of the things that a payload tells of. */
function partsOf(value: unknown): object[][] {
  if (typeof value !== 'object' || value === null) return [];
  const lists = Array.isArray(value)
    ? [value as unknown[]]
    : Object.values(value).filter((field) => Array.isArray(field));
  return lists
    .map((list) =>
      (list as unknown[])
        .slice(0, 2 * MAX_READING)
        .filter((item) => typeof item === 'object' && item !== null),
    )
    .filter((list) => list.length > 1);
}

/** The part that a task is about: the one whose id is in its key, else the one at its place; undefined for the whole. */
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
