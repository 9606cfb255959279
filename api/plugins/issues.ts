// What a validator found, said in plain words, field by field.
import type { ErrorDetail } from '#core/contract/index.ts';
import { NO_TIME } from '#core/domain/read-time.ts';

/** One finding of the validator, as TypeBox reports it. */
export interface Issue {
  keyword: string;
  /** Where in the schema the keyword stands, as a URI fragment (`#/properties/content`). */
  schemaPath: string;
  instancePath: string;
  params: object;
  message: string;
}

export const MAX_DETAILS = 20;

/** Findings as `{field, message}`, each field once. A schema says its own sentence as `x-refusal`. */
export function toDetails(issues: readonly Issue[], schema: object): ErrorDetail[] {
  const details = new Map<string, ErrorDetail>();
  for (const issue of issues) {
    for (const detail of describe(issue, refusalOf(schema, issue)))
      if (!details.has(detail.field)) details.set(detail.field, detail);
    if (details.size >= MAX_DETAILS) break;
  }
  return [...details.values()];
}

function refusalOf(schema: object, { schemaPath }: Issue): string | undefined {
  let at: unknown = schema;
  for (const step of schemaPath.split('/').slice(1)) {
    if (typeof at !== 'object' || at === null) return undefined;
    at = (at as Record<string, unknown>)[step];
  }
  const refusal = (at as Record<string, unknown> | undefined)?.['x-refusal'];
  return typeof refusal === 'string' ? refusal : undefined;
}

function describe(
  { keyword, schemaPath, instancePath, params, message }: Issue,
  refusal: string | undefined,
): ErrorDetail[] {
  const path = instancePath.slice(1);
  const given = params as Record<string, unknown>;
  const only = (text: string): ErrorDetail[] => [{ field: path, message: text }];
  switch (keyword) {
    case 'required': {
      const names = given['requiredProperties'] as string[];
      if (names.length === 0) return only('a JSON body is required');
      return names.map((name) => ({ field: path === '' ? name : `${path}/${name}`, message: 'is required' }));
    }
    case 'type':
      return only(`must be ${TYPE_NAMES[String(given['type'])] ?? String(given['type'])}`);
    case 'enum':
      return only(`must be one of: ${(given['allowedValues'] as unknown[]).join(', ')}`);
    case 'additionalProperties': {
      const names = given['additionalProperties'] as string[];
      return names.map((name) => ({
        field: path === '' ? name : `${path}/${name}`,
        message: 'is not a known field',
      }));
    }
    case 'boolean':
      // The same once more, for each of them.
      return schemaPath.endsWith('/additionalProperties') ? [] : only(refusal ?? message);
    case 'format':
      return only(refusal ?? (given['format'] === 'date-time' ? NO_TIME : message));
    case 'minProperties':
      return only('must have at least one field');
    default:
      return only(LIMIT_TEXTS[keyword]?.(Number(given['limit'])) ?? refusal ?? message);
  }
}

const LIMIT_TEXTS: Record<string, (limit: number) => string> = {
  minimum: (limit) => `must be at least ${limit}`,
  maximum: (limit) => `must be at most ${limit}`,
  minLength: (limit) => (limit === 1 ? 'must not be empty' : `must be at least ${limit} characters long`),
  maxLength: (limit) => `must be at most ${limit} characters`,
  minItems: (limit) => `must hold at least ${limit}`,
  maxItems: (limit) => `must hold at most ${limit}`,
};

const TYPE_NAMES: Record<string, string> = {
  integer: 'a whole number',
  object: 'a JSON object',
  array: 'a list',
  boolean: 'true or false',
  string: 'text',
  'string,null': 'text or null',
  number: 'a number',
};
