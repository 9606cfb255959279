// Reads the JSON schema of a form into its fields: a new adapter needs no code here for its form.
import { randomHex } from '../../../lib/random-id.ts';

export interface FormField {
  name: string;
  title: string;
  description: string | null;
  kind: 'text' | 'secret' | 'choice' | 'switch' | 'number' | 'lines';
  required: boolean;
  /** Of a choice. */
  options: readonly string[];
  /** The value of an untouched field. */
  initial: FieldValue;
  minimum: number | null;
  maximum: number | null;
  maxLength: number | null;
  isWhole: boolean;
}

/** `lines` are texts; a number that is being typed is a text. */
export type FieldValue = string | boolean | number | readonly string[];
export type FieldValues = Readonly<Record<string, FieldValue>>;

type Schema = Readonly<Record<string, unknown>>;

const isObject = (value: unknown): value is Schema =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const text = (value: unknown): string | null => (typeof value === 'string' && value !== '' ? value : null);
const number = (value: unknown): number | null => (typeof value === 'number' ? value : null);

/** The fields of a form in its order; none for null. */
export function fieldsOf(form: Schema | null): FormField[] {
  const properties = form?.['properties'];
  if (!isObject(properties)) return [];
  const required = Array.isArray(form?.['required']) ? (form['required'] as unknown[]) : [];
  return Object.entries(properties).flatMap(([name, schema]) =>
    isObject(schema) ? [fieldOf(name, schema, required.includes(name))] : [],
  );
}

function fieldOf(name: string, schema: Schema, required: boolean): FormField {
  const options = optionsOf(schema);
  const type = schema['type'];
  const kind =
    schema['secret'] === true
      ? 'secret'
      : options.length > 0
        ? 'choice'
        : type === 'boolean'
          ? 'switch'
          : type === 'integer' || type === 'number'
            ? 'number'
            : type === 'array'
              ? 'lines'
              : 'text';
  return {
    name,
    title: text(schema['title']) ?? titled(name),
    description: text(schema['description']),
    kind,
    required,
    options,
    initial: initialOf(kind, schema['default'], options, required),
    minimum: number(schema['minimum']),
    maximum: number(schema['maximum']),
    maxLength: number(schema['maxLength']),
    isWhole: type === 'integer',
  };
}

// An enum, or one of several constants.
function optionsOf(schema: Schema): string[] {
  const listed = Array.isArray(schema['enum'])
    ? (schema['enum'] as unknown[])
    : Array.isArray(schema['anyOf'])
      ? (schema['anyOf'] as unknown[]).flatMap((each) => (isObject(each) ? [each['const']] : []))
      : [];
  return listed.filter((each): each is string => typeof each === 'string');
}

function initialOf(
  kind: FormField['kind'],
  given: unknown,
  options: readonly string[],
  required: boolean,
): FieldValue {
  if (kind === 'switch') return given === true;
  if (kind === 'lines') return Array.isArray(given) ? given.map(String) : [];
  if (typeof given === 'string' || typeof given === 'number') return given;
  return kind === 'choice' && required ? (options[0] ?? '') : '';
}

// allowedSenders: "Allowed senders".
function titled(name: string): string {
  const words = name
    .replaceAll(/([a-z\d])([A-Z])/g, '$1 $2')
    .replaceAll(/[_-]+/g, ' ')
    .toLowerCase();
  return words.charAt(0).toUpperCase() + words.slice(1);
}

/** The initial values: the known ones, else the defaults. */
export function startValues(fields: readonly FormField[], known: Schema = {}): FieldValues {
  return Object.fromEntries(fields.map((field) => [field.name, startValue(field, known[field.name])]));
}

function startValue({ kind, initial }: FormField, known: unknown): FieldValue {
  if (kind === 'secret') return '';
  if (kind === 'lines') return Array.isArray(known) ? known.map(String) : initial;
  if (kind === 'switch') return typeof known === 'boolean' ? known : initial;
  return typeof known === 'string' || typeof known === 'number' ? known : initial;
}

/**
 * The values as the API takes them. An empty secret is left out: the stored one stays. One in `removed` is
 * sent empty, which removes it. Empty optional values are left out, unless empty is their default.
 */
export function toPayload(
  fields: readonly FormField[],
  values: FieldValues,
  removed: ReadonlySet<string> = new Set(),
): Record<string, unknown> {
  const payload: Record<string, unknown> = {};
  for (const { name, kind, initial, required } of fields) {
    const value = values[name] ?? initial;
    if (kind === 'secret') {
      if (removed.has(name)) payload[name] = '';
      else if (value !== '') payload[name] = value;
    } else if (kind === 'lines') {
      payload[name] = linesOf(value)
        .map((line) => line.trim())
        .filter((line) => line !== '');
    } else if (kind === 'number') {
      if (value !== '') payload[name] = Number(value);
    } else if (value !== '' || required || initial !== '') {
      payload[name] = typeof value === 'string' ? value.trim() : value;
    }
  }
  return payload;
}

export function linesOf(value: FieldValue): readonly string[] {
  return typeof value === 'object' ? value : [];
}

/** A generated secret: 160 random bits as 40 hex digits, which every sender's form takes. */
export const randomSecret = () => randomHex(20);

/** The secrets that a form holds, by name. */
export function secretsIn(fields: readonly FormField[], values: FieldValues): Record<string, string> {
  return Object.fromEntries(
    fields.flatMap(({ name, kind }) => {
      const value = values[name];
      return kind === 'secret' && typeof value === 'string' && value !== '' ? [[name, value]] : [];
    }),
  );
}
