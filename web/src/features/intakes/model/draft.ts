// The draft of an intake's form, and the API's input from it.
import type { CreateIntake, EditIntake, Intake, IntakeKindInfo, Priority } from '#core/contract/index.ts';
import { formatTags, parseTags } from '../../../lib/tags.ts';
import { presetOf } from '../data/intakes.ts';
import {
  fieldsOf,
  secretsIn,
  startValues,
  toPayload,
  type FieldValues,
  type FormField,
} from './schema-form.ts';

export interface Draft {
  name: string;
  preset: string | null;
  scheme: string;
  /** By scheme, so that looking at another one loses nothing. */
  proof: Readonly<Record<string, FieldValues>>;
  /** Kept secrets of the scheme that are to go. */
  removed: ReadonlySet<string>;
  settings: FieldValues;
  /** Empty: the priority of the sender. */
  priority: Priority | '';
  tags: string;
  /** Empty: as long as any task. */
  expiryMinutes: string;
  events: readonly string[];
  reopens: boolean;
  /** Empty for none. */
  hourlyCap: string;
}

export function schemeOf(kind: IntakeKindInfo, id: string) {
  return kind.schemes.find((scheme) => scheme.id === id) ?? null;
}

const PREVIOUS_SECRET = 'previousSecret';

/** The fields that a person fills in. The server stores the previous secret for its grace period. */
export function schemeFields(kind: IntakeKindInfo, id: string): FormField[] {
  return fieldsOf(schemeOf(kind, id)?.fields ?? null).filter(({ name }) => name !== PREVIOUS_SECRET);
}

/** Whether the scheme accepts the previous secret as well. */
export function takesPreviousSecret(kind: IntakeKindInfo, id: string): boolean {
  return fieldsOf(schemeOf(kind, id)?.fields ?? null).some(({ name }) => name === PREVIOUS_SECRET);
}

/** The draft for a sender of this preset, with a generated secret: most senders take any. */
export function newDraft(kind: IntakeKindInfo, presetId: string | null, secret: string): Draft {
  const preset = presetOf(kind, presetId);
  const scheme = preset?.scheme ?? kind.schemes[0]?.id ?? 'none';
  const fields = schemeFields(kind, scheme);
  const madeUp: FieldValues = Object.fromEntries(
    fields.filter((field) => field.kind === 'secret' && field.required).map(({ name }) => [name, secret]),
  );
  return {
    name: preset?.title ?? kind.title,
    preset: preset?.id ?? null,
    scheme,
    proof: { [scheme]: { ...startValues(fields, preset?.options), ...madeUp } },
    removed: new Set(),
    settings: startValues(fieldsOf(kind.settings)),
    priority: '',
    tags: '',
    expiryMinutes: '',
    events: [],
    reopens: true,
    hourlyCap: '',
  };
}

export function draftOf(intake: Intake, kind: IntakeKindInfo): Draft {
  const { scheme, options } = intake.verification;
  return {
    name: intake.name,
    preset: intake.preset,
    scheme,
    proof: { [scheme]: startValues(schemeFields(kind, scheme), options) },
    removed: new Set(),
    settings: startValues(fieldsOf(kind.settings), intake.settings),
    priority: intake.defaults.priority ?? '',
    tags: formatTags(intake.defaults.tags ?? []),
    expiryMinutes: intake.defaults.expiryMinutes?.toString() ?? '',
    events: intake.events,
    reopens: intake.reopens,
    hourlyCap: intake.hourlyCap?.toString() ?? '',
  };
}

/** The values of the chosen scheme. */
export function proofOf({ proof, scheme }: Draft, kind: IntakeKindInfo): FieldValues {
  return proof[scheme] ?? startValues(schemeFields(kind, scheme));
}

export function toEdit(draft: Draft, kind: IntakeKindInfo) {
  const tags = parseTags(draft.tags);
  return {
    name: draft.name.trim(),
    verification: {
      ...toPayload(schemeFields(kind, draft.scheme), proofOf(draft, kind), draft.removed),
      scheme: draft.scheme,
    },
    ...(draft.preset === null ? {} : { preset: draft.preset }),
    ...(kind.settings === null ? {} : { settings: toPayload(fieldsOf(kind.settings), draft.settings) }),
    defaults: {
      ...(draft.priority === '' ? {} : { priority: draft.priority }),
      ...(tags.length === 0 ? {} : { tags }),
      ...(draft.expiryMinutes === '' ? {} : { expiryMinutes: Number(draft.expiryMinutes) }),
    },
    events: [...draft.events],
    reopens: draft.reopens,
    hourlyCap: draft.hourlyCap === '' ? null : Number(draft.hourlyCap),
  } satisfies EditIntake;
}

export function toCreate(draft: Draft, kind: IntakeKindInfo): CreateIntake {
  return { adapter: kind.id, ...toEdit(draft, kind) };
}

/** The secrets that are written in the draft. */
export function secretsOf(draft: Draft, kind: IntakeKindInfo): Record<string, string> {
  return secretsIn(schemeFields(kind, draft.scheme), proofOf(draft, kind));
}
