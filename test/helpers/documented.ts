// Holds every answer that a test sees against the OpenAPI document: its status, its headers and the form of
// its body must be told of there.
import { Compile, type Validator } from 'typebox/compile';
import { expect } from 'vitest';

interface OpenApi {
  paths: Record<string, Record<string, { responses: Record<string, OpenApiResponse> }>>;
  components: { schemas: Record<string, object> };
}

interface OpenApiResponse {
  headers?: Record<string, unknown>;
  content?: Record<string, { schema: object }>;
}

export interface Answer {
  status: number;
  headers: Record<string, unknown>;
  text: string;
}

/** Headers of HTTP itself and of browsers' protections, which are not the API's to describe. */
const COMMON = new Set([
  'accept-encoding',
  'allow',
  'cache-control',
  'connection',
  'content-length',
  'content-security-policy',
  'content-type',
  'date',
  'keep-alive',
  'transfer-encoding',
  'vary',
  'x-content-type-options',
  'access-control-allow-origin',
  'access-control-expose-headers',
]);

/** Fails unless `answer` to a request of `method` and `path` (without query) is as the document says. */
export function expectDocumented(document: unknown, method: string, path: string, answer: Answer): void {
  const { paths, components } = document as OpenApi;
  const operations = paths[path] ?? Object.entries(paths).find(([template]) => matches(template, path))?.[1];
  const where = `${method} ${path.slice(0, 80)} answered ${answer.status}`;
  if (operations === undefined)
    return expect([400, 404], `${where} but is not documented`).toContain(answer.status);
  const operation = operations[method.toLowerCase()];
  if (operation === undefined)
    return expect(answer.status, `${where} but the method is not documented`).toBe(405);
  const response = operation.responses[answer.status];
  expect(response, `${where}, which is not documented`).toBeDefined();
  const told = new Set(Object.keys(response?.headers ?? {}).map((name) => name.toLowerCase()));
  const untold = Object.keys(answer.headers).filter((name) => !COMMON.has(name) && !told.has(name));
  expect(untold, `${where} with headers that are not documented`).toEqual([]);
  const schema = response?.content?.['application/json']?.schema;
  if (schema !== undefined) {
    const value: unknown = JSON.parse(answer.text);
    const validator = validatorOf(schema, components.schemas);
    expect(
      validator.Check(value) ? [] : validator.Errors(value),
      `${where} with a body that is not as documented`,
    ).toEqual([]);
  }
}

const validators = new WeakMap<object, Validator>();

function validatorOf(schema: object, schemas: Record<string, object>): Validator {
  const validator = validators.get(schema) ?? Compile(resolve(schema, schemas) as never);
  validators.set(schema, validator);
  return validator;
}

function matches(template: string, path: string): boolean {
  const wanted = template.split('/');
  const given = path.split('/');
  return (
    wanted.length === given.length &&
    wanted.every((part, index) => part.startsWith('{') || part === given[index])
  );
}

// The document's schemas do not refer to themselves, so references can be put in place.
function resolve(schema: unknown, schemas: Record<string, object>): unknown {
  if (Array.isArray(schema)) return schema.map((item) => resolve(item, schemas));
  if (typeof schema !== 'object' || schema === null) return schema;
  const reference = (schema as { $ref?: string }).$ref;
  if (reference !== undefined) return resolve(schemas[reference.split('/').at(-1) as string], schemas);
  return Object.fromEntries(Object.entries(schema).map(([name, inner]) => [name, resolve(inner, schemas)]));
}
