// Validates requests with the contract's own schemas and says what is wrong, field by field, in plain words.
import type { FastifyInstance } from 'fastify';
import type { TSchema } from 'typebox';
import { Compile } from 'typebox/compile';
import type { ErrorDetail } from '#core/contract/index.ts';
import { invalid } from '#core/errors.ts';

/** One finding of the validator, as TypeBox reports it. */
interface Issue {
  keyword: string;
  instancePath: string;
  params: object;
  message: string;
}

const MAX_DETAILS = 20;

/** Makes `app` validate with TypeBox. Bodies are taken as they are; text in query and path becomes what the schema says. */
export function useContractValidation(app: FastifyInstance): void {
  app.setValidatorCompiler<TSchema>(({ schema, httpPart }) => {
    const validator = Compile(schema);
    const convert = httpPart === 'querystring' ? queryConverter(schema) : undefined;
    return (input: unknown) => {
      const value = convert === undefined ? input : convert(input as Record<string, unknown>);
      if (validator.Check(value)) return { value };
      const issues =
        value === undefined || value === null ? missingBody(schema) : (validator.Errors(value) as Issue[]);
      return { error: invalid(toDetails(issues)) };
    };
  });
}

function queryConverter(schema: TSchema): (query: Record<string, unknown>) => Record<string, unknown> {
  const properties = (schema as { properties?: Record<string, { type?: string }> }).properties ?? {};
  return (query) => {
    const converted: Record<string, unknown> = {};
    for (const [name, text] of Object.entries(query))
      converted[name] = convertText(properties[name]?.type, text);
    return converted;
  };
}

function convertText(type: string | undefined, text: unknown): unknown {
  if (typeof text !== 'string') return text;
  if (type === 'integer' && /^-?\d{1,15}$/.test(text)) return Number(text);
  if (type === 'boolean' && /^(?:true|false)$/.test(text)) return text === 'true';
  return text;
}

function missingBody(schema: TSchema): Issue[] {
  const required = (schema as { required?: string[] }).required ?? [];
  return [
    {
      keyword: 'required',
      instancePath: '',
      params: { requiredProperties: required },
      message: 'must not be empty',
    },
  ];
}

/** Findings as `{field, message}`, each field once. */
function toDetails(issues: readonly Issue[]): ErrorDetail[] {
  const details = new Map<string, ErrorDetail>();
  for (const issue of issues) {
    for (const detail of describe(issue)) if (!details.has(detail.field)) details.set(detail.field, detail);
    if (details.size >= MAX_DETAILS) break;
  }
  return [...details.values()];
}

function describe({ keyword, instancePath, params, message }: Issue): ErrorDetail[] {
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
      return only(`must be ${withArticle(String(given['type']))}`);
    case 'enum':
      return only(`must be one of: ${(given['allowedValues'] as unknown[]).join(', ')}`);
    case 'minimum':
      return only(`must be at least ${String(given['limit'])}`);
    case 'maximum':
      return only(`must be at most ${String(given['limit'])}`);
    case 'minLength':
      return only('must not be empty');
    case 'maxLength':
      return only(`must be at most ${String(given['limit'])} characters`);
    case 'minItems':
      return only(`must hold at least ${String(given['limit'])}`);
    case 'maxItems':
      return only(`must hold at most ${String(given['limit'])}`);
    case 'minProperties':
      return only('must have at least one field');
    default:
      return only(message);
  }
}

const TYPE_NAMES: Record<string, string> = {
  integer: 'a whole number',
  object: 'a JSON object',
  array: 'a list',
  boolean: 'true or false',
  string: 'text',
  number: 'a number',
};

function withArticle(type: string): string {
  return TYPE_NAMES[type] ?? type;
}
