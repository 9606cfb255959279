// Validates requests with the contract's schemas; errors say what is wrong with each field.
import fp from 'fastify-plugin';
import type { TSchema } from 'typebox';
import { Compile } from 'typebox/compile';
import type { ErrorDetail } from '#core/contract/index.ts';
import { invalid } from '#core/errors.ts';
import { MAX_DETAILS, toDetails, type Issue } from './issues.ts';

/** Bodies are taken as they are; text in a query becomes the type that the schema names. */
export const validation = fp(
  async (app) => {
    app.setValidatorCompiler<TSchema>(({ schema, httpPart }) => {
      const convert = httpPart === 'querystring' ? queryConverter(schema) : undefined;
      return (input: unknown) => {
        const validator = validatorOf(schema);
        const value = convert === undefined ? input : convert(input as Record<string, unknown>);
        if (validator.Check(value)) return { value };
        return { error: invalid(faultsOf(schema, value)) };
      };
    });
  },
  { name: 'validation', dependencies: ['error-bodies'] },
);

const compiled = new WeakMap<TSchema, ReturnType<typeof Compile>>();

/** Compiled once for each schema: those of the contract and of adapters' forms do not change. */
export function validatorOf(schema: TSchema): ReturnType<typeof Compile> {
  let validator = compiled.get(schema);
  if (validator === undefined) {
    validator = Compile(schema);
    compiled.set(schema, validator);
  }
  return validator;
}

/** What is wrong with a value that the compiled check refuses, the first of it. */
export function faultsOf(schema: TSchema, value: unknown): ErrorDetail[] {
  if (value === undefined || value === null) return toDetails(missingBody(schema), schema);
  const { rest, details } = withoutLongLists(schema, value);
  return [...toDetails(issuesOf(schema, rest), schema), ...details].slice(0, MAX_DETAILS);
}

function issuesOf(schema: TSchema, value: unknown): Issue[] {
  return validatorOf(schema).Errors(value);
}

/** From here on an item is looked at by the compiled check first. */
const LONG_LIST = 1000;

/**
 * What is wrong in the long lists of a body, and the body with these lists empty. What names every fault
 * walks through all of a value, a hundred times slower than the compiled check: seconds, where a list has
 * thousands.
 */
function withoutLongLists(schema: TSchema, value: unknown): { rest: unknown; details: ErrorDetail[] } {
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    return { rest: value, details: [] };
  const { properties = {} } = schema as { properties?: Record<string, TSchema> };
  const details: ErrorDetail[] = [];
  const empty: Record<string, unknown> = {};
  for (const [name, list] of Object.entries(value)) {
    const { items, maxItems = Infinity } = (properties[name] ?? {}) as { items?: TSchema; maxItems?: number };
    if (!Array.isArray(list) || list.length <= LONG_LIST || items === undefined) continue;
    empty[name] = [];
    if (list.length > maxItems) details.push({ field: name, message: `must hold at most ${maxItems}` });
    else details.push(...faultsIn(list, items, name));
  }
  return { rest: Object.keys(empty).length === 0 ? value : { ...value, ...empty }, details };
}

function faultsIn(list: readonly unknown[], items: TSchema, name: string): ErrorDetail[] {
  const details: ErrorDetail[] = [];
  const validator = validatorOf(items);
  for (const [index, item] of list.entries()) {
    if (validator.Check(item)) continue;
    for (const { field, message } of toDetails(issuesOf(items, item), items))
      details.push({ field: [name, index, ...(field === '' ? [] : [field])].join('/'), message });
    if (details.length >= MAX_DETAILS) break;
  }
  return details;
}

function queryConverter(schema: TSchema): (query: Record<string, unknown>) => Record<string, unknown> {
  const properties = (schema as { properties?: Record<string, TSchema> }).properties ?? {};
  return (query) => {
    const converted: Record<string, unknown> = {};
    for (const [name, text] of Object.entries(query)) converted[name] = convertText(properties[name], text);
    return converted;
  };
}

/** Text as the type that its schema names; anything else stays, for the validator to refuse. */
export function convertText(schema: TSchema | undefined, text: unknown): unknown {
  if (typeof text !== 'string') return text;
  const { type } = (schema ?? {}) as { type?: string };
  if (type === 'integer' && /^-?\d{1,15}$/.test(text)) return Number(text);
  if (type === 'boolean' && /^(?:true|false)$/.test(text)) return text === 'true';
  return text;
}

function missingBody(schema: TSchema): Issue[] {
  const required = (schema as { required?: string[] }).required ?? [];
  return [
    {
      keyword: 'required',
      schemaPath: '#',
      instancePath: '',
      params: { requiredProperties: required },
      message: 'must not be empty',
    },
  ];
}
