// Turns an owner's input into an intake's configuration: scheme, options and secrets apart, every field
// checked by the adapter's own forms.
import type { CreateIntake, EditIntake, ErrorDetail } from '#core/contract/index.ts';
import { PREVIOUS_SECRET } from '#core/domain/intake-secrets.ts';
import { invalid } from '#core/errors.ts';
import type { IntakeKind, IntakeConfig, SchemeInfo } from '#core/ports/adapter/intake.ts';

/** Checks values against a flat object schema and fills in defaults; `path` prefixes the field names. */
export type CheckForm = (
  form: SchemeInfo['fields'],
  values: Readonly<Record<string, unknown>>,
  path: string,
) => { values: Record<string, unknown>; details: ErrorDetail[] };

/** The plan as it stands, and what is to be changed of it. */
export interface Wanted {
  before: IntakeConfig | null;
  input: Pick<CreateIntake & EditIntake, 'preset' | 'verification' | 'mapping' | 'settings'>;
}

/** The new plan. Throws VALIDATION_ERROR with every field at fault. */
export async function configOf(
  kind: IntakeKind,
  { before, input }: Wanted,
  checkForm: CheckForm,
): Promise<IntakeConfig> {
  const details: ErrorDetail[] = [];
  const preset = presetOf(
    kind,
    input.preset === undefined ? (before?.preset ?? null) : input.preset,
    details,
  );
  const proof = verificationOf(kind, { before, input }, preset, checkForm, details);
  const settings = settingsOf(kind, input.settings, before, checkForm, details);
  const mapping = input.mapping === undefined ? (before?.mapping ?? null) : input.mapping;
  if (mapping !== null && !kind.takesMapping)
    details.push({ field: 'mapping', message: 'is not possible for this kind of intake' });
  if (details.length > 0) throw invalid(details);
  const plan: IntakeConfig = { preset, ...proof, mapping, settings };
  const refused = await kind.check(plan);
  if (refused.length > 0) throw invalid(refused);
  return plan;
}

function presetOf(kind: IntakeKind, wanted: string | null, details: ErrorDetail[]): string | null {
  if (wanted === null) return kind.presets[0]?.id ?? null;
  if (kind.presets.some(({ id }) => id === wanted)) return wanted;
  details.push({
    field: 'preset',
    message:
      kind.presets.length === 0
        ? 'is not possible for this kind of intake'
        : `must be one of: ${kind.presets.map(({ id }) => id).join(', ')}`,
  });
  return null;
}

function verificationOf(
  kind: IntakeKind,
  { before, input }: Wanted,
  preset: string | null,
  checkForm: CheckForm,
  details: ErrorDetail[],
): Pick<IntakeConfig, 'verification' | 'secrets'> {
  if (input.verification === undefined && before !== null)
    return { verification: before.verification, secrets: before.secrets };
  const { scheme: named, ...given } = input.verification ?? {};
  const sender = kind.presets.find(({ id }) => id === preset);
  const usual = sender?.scheme ?? kind.schemes[0]?.id ?? 'none';
  const schemeId = named ?? before?.verification.scheme ?? usual;
  const nothing = { verification: { scheme: schemeId, options: {} }, secrets: {} };
  const scheme = kind.schemes.find(({ id }) => id === schemeId);
  if (scheme === undefined) {
    details.push({
      field: 'verification/scheme',
      message: `must be one of: ${kind.schemes.map(({ id }) => id).join(', ')}`,
    });
    return nothing;
  }
  const names = secretFields(scheme.fields);
  // What fits the sender may be left unsaid; taking in what anybody sends may not.
  if (named === undefined && before === null && names.size === 0 && kind.schemes.length > 1) {
    const field = input.verification === undefined ? 'verification' : 'verification/scheme';
    details.push({ field, message: sayTheProof(kind) });
    return nothing;
  }
  const unchanged = before !== null && before.verification.scheme === scheme.id ? before.secrets : {};
  // A secret given as an empty text is taken away; one that is left out stays.
  const theirs = sender?.scheme === scheme.id ? sender.options : {};
  const values: Record<string, unknown> = { ...theirs, ...unchanged, ...trimmed(given, names) };
  for (const name of names) if (values[name] === '' || values[name] === null) delete values[name];
  const checked = checkForm(scheme.fields, values, 'verification/');
  details.push(...checked.details);
  const secrets: Record<string, string> = {};
  const options: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(checked.values))
    if (names.has(name)) secrets[name] = String(value);
    else options[name] = value;
  return { verification: { scheme: scheme.id, options }, secrets };
}

// Space around a secret comes from copying it: no header keeps it, and no sender shows it.
function trimmed(
  given: Readonly<Record<string, unknown>>,
  names: ReadonlySet<string>,
): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(given).map(([name, value]) => [
      name,
      names.has(name) && typeof value === 'string' ? value.trim() : value,
    ]),
  );
}

function sayTheProof({ schemes }: IntakeKind): string {
  const proving = schemes.flatMap(({ id, fields }) => (secretFields(fields).size === 0 ? [] : [id]));
  const unsigned = schemes.find(({ fields }) => secretFields(fields).size === 0)?.id ?? 'none';
  return `must say how the sender proves itself: {"scheme": "…", "secret": "…"} with one of ${proving.join(', ')}; or {"scheme": "${unsigned}"} to take in what anybody sends who knows the address`;
}

function settingsOf(
  kind: IntakeKind,
  given: Readonly<Record<string, unknown>> | undefined,
  before: IntakeConfig | null,
  checkForm: CheckForm,
  details: ErrorDetail[],
): Record<string, unknown> {
  if (given === undefined && before !== null) return { ...before.settings };
  if (kind.settings === null) {
    for (const name of Object.keys(given ?? {}))
      details.push({ field: `settings/${name}`, message: 'is not a setting of this kind of intake' });
    return {};
  }
  const checked = checkForm(kind.settings, given ?? {}, 'settings/');
  details.push(...checked.details);
  return checked.values;
}

/** Whether a scheme takes the secret before beside the present one. */
export function takesPreviousSecret({ schemes }: IntakeKind, schemeId: string): boolean {
  const scheme = schemes.find(({ id }) => id === schemeId);
  return scheme !== undefined && secretFields(scheme.fields).has(PREVIOUS_SECRET);
}

/** The kind, of which no secret is asked: for an intake that is given its secrets later. */
export function withoutSecrets(kind: IntakeKind): IntakeKind {
  const names = new Set(kind.schemes.flatMap(({ fields }) => [...secretFields(fields)]));
  return {
    ...kind,
    schemes: kind.schemes.map((scheme) => ({ ...scheme, fields: formWithout(scheme.fields, names) })),
    async check(plan) {
      const details = await kind.check(plan);
      return details.filter(({ field }) => !names.has(field.replace('verification/', '')));
    },
  };
}

function formWithout(form: SchemeInfo['fields'], names: ReadonlySet<string>): SchemeInfo['fields'] {
  const { properties = {}, required = [] } = form as {
    properties?: Record<string, unknown>;
    required?: string[];
  };
  const left = Object.entries(properties).filter(([name]) => !names.has(name));
  return {
    ...form,
    properties: Object.fromEntries(left),
    required: required.filter((name) => !names.has(name)),
  } as SchemeInfo['fields'];
}

/** Whether deliveries of a scheme are proven with a secret. */
export function needsSecret({ schemes }: IntakeKind, schemeId: string): boolean {
  const scheme = schemes.find(({ id }) => id === schemeId);
  return scheme !== undefined && secretFields(scheme.fields).size > 0;
}

/** Names of a form's secret fields. */
function secretFields(form: SchemeInfo['fields']): Set<string> {
  const fields = (form as { properties?: Record<string, { secret?: unknown }> }).properties ?? {};
  return new Set(Object.keys(fields).filter((name) => fields[name]?.secret === true));
}
