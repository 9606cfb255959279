// Reads the server's OpenAPI 3.1 description into what the page shows. Pure. It knows only the parts of
// OpenAPI that this server writes; an unknown type is "any".
import { API_BASE } from '#core/contract/protocol.ts';
import { grouped } from '../../../lib/text.ts';

export interface Schema {
  $ref?: string;
  type?: string | readonly string[];
  description?: string;
  enum?: readonly unknown[];
  properties?: Record<string, Schema>;
  required?: readonly string[];
  items?: Schema;
  anyOf?: readonly Schema[];
  additionalProperties?: boolean | Schema;
  format?: string;
  minimum?: number;
  maximum?: number;
  minLength?: number;
  maxLength?: number;
  minItems?: number;
  maxItems?: number;
  examples?: readonly unknown[];
}

export interface Parameter {
  name: string;
  in: 'path' | 'query' | 'header';
  required?: boolean;
  description?: string;
  schema: Schema;
}

interface Content {
  content?: Record<string, { schema: Schema; example?: unknown }>;
}

interface Response extends Content {
  description: string;
  headers?: Record<string, { description?: string }>;
}

interface OperationObject {
  operationId: string;
  summary: string;
  description?: string;
  tags: readonly string[];
  parameters?: readonly Parameter[];
  requestBody?: Content;
  security?: readonly Record<string, readonly string[]>[];
  responses: Record<string, Response>;
}

export interface ApiDocument {
  info: { title: string; version: string; description: string };
  servers: readonly { url: string }[];
  tags: readonly { name: string; description: string }[];
  paths: Record<string, Record<string, OperationObject>>;
  components: { schemas: Record<string, Schema> };
  'x-error-codes': readonly { code: string; status: number; description: string }[];
  'x-rate-limit': { perMinute: number; perHour: number };
}

export interface Operation extends OperationObject {
  method: string;
  path: string;
}

export interface Group {
  name: string;
  description: string;
  operations: Operation[];
  /** Only administrators can make its calls. */
  administrators: boolean;
}

/** Reading first, ending last. */
const METHOD_ORDER = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'];

/** Where calls go, for a page that was served from `origin`. */
export function baseUrlOf(document: ApiDocument | undefined, origin: string): string {
  return new URL(`${document?.servers[0]?.url.replace(/\/+$/, '') ?? ''}${API_BASE}`, origin).href;
}

function operationsOf({ paths }: ApiDocument): Operation[] {
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({
      ...operation,
      method: method.toUpperCase(),
      path,
    })),
  );
}

// Sorted once: several parts of the page ask for them.
const groups = new WeakMap<ApiDocument, Group[]>();

/** Every operation, by tag in the document's order. */
export function groupsOf(document: ApiDocument): Group[] {
  const known = groups.get(document) ?? makeGroups(document);
  groups.set(document, known);
  return known;
}

// Those of administrators stand apart, whatever they are about.
function makeGroups(document: ApiDocument): Group[] {
  const isApart = ({ security = [] }: Operation) =>
    security.some(({ accessToken = [] }) => accessToken.includes('administrator'));
  const all = operationsOf(document);
  const groups = document.tags.map(({ name, description }) => ({
    name,
    description,
    operations: all
      .filter((operation) => operation.tags[0] === name && !isApart(operation))
      .toSorted(inOrder),
    administrators: false,
  }));
  return [
    ...groups,
    {
      name: 'Administration',
      description: 'For administrators alone, in their own session: an API key cannot make these calls.',
      operations: all.filter(isApart).toSorted(inOrder),
      administrators: true,
    },
  ].filter(({ operations }) => operations.length > 0);
}

function inOrder(a: Operation, b: Operation): number {
  const depth = a.path.split('/').length - b.path.split('/').length;
  if (depth !== 0) return depth;
  const [pathA, pathB] = [sortKey(a.path), sortKey(b.path)];
  if (pathA !== pathB) return pathA < pathB ? -1 : 1;
  return METHOD_ORDER.indexOf(a.method) - METHOD_ORDER.indexOf(b.method);
}

/** Parameters before names. A collator would say the same, and takes longer to make than the page to draw. */
function sortKey(path: string): string {
  return path.replaceAll('{', ' ');
}

/** The groups with only the operations that contain every word. */
export function filterGroups(groups: readonly Group[], text: string): Group[] {
  const words = text.toLowerCase().split(/\s+/).filter(Boolean);
  return groups
    .map((group) => ({
      ...group,
      operations: group.operations.filter(({ method, path, summary, description, operationId }) => {
        const searched = [method, path, summary, description, operationId, group.name]
          .join(' ')
          .toLowerCase();
        return words.every((word) => searched.includes(word));
      }),
    }))
    .filter(({ operations }) => operations.length > 0);
}

export function operationOf(document: ApiDocument, id: string): Operation | undefined {
  return operationsOf(document).find(({ operationId }) => operationId === id);
}

export interface TypeLabel {
  text: string;
  /** The shared shape to read about, if there is one. */
  shape: string | null;
}

/** In a word or two: "string", "list of Task", "high | normal | low", "string or null". */
export function typeOf(schema: Schema): TypeLabel {
  const shape = schema.$ref?.split('/').at(-1);
  if (shape !== undefined) return { text: shape, shape };
  if (schema.enum !== undefined) return { text: schema.enum.map(String).join(' | '), shape: null };
  if (schema.anyOf !== undefined) {
    const parts = schema.anyOf.map(typeOf);
    return {
      text: parts.map(({ text }) => text).join(' or '),
      shape: parts.find((part) => part.shape !== null)?.shape ?? null,
    };
  }
  if (schema.type === 'array') {
    const items = typeOf(schema.items ?? {});
    return { text: `list of ${items.text}`, shape: items.shape };
  }
  if (schema.format === 'date-time') return { text: 'time', shape: null };
  return { text: [schema.type ?? 'any'].flat().join(' or '), shape: null };
}

/** The limits of a value, in words; "" where it has none. */
function limitsOf(schema: Schema): string {
  const range = (from: number | undefined, to: number | undefined, unit: string) => {
    const least = from === undefined ? undefined : grouped(from);
    const most = to === undefined ? undefined : grouped(to);
    if (least !== undefined && most !== undefined) return `${least} to ${most}${unit}`;
    if (most !== undefined) return `at most ${most}${unit}`;
    return least === undefined || from === 0 ? '' : `at least ${least}${unit}`;
  };
  return [
    range(schema.minimum, schema.maximum, ''),
    range(schema.minLength, schema.maxLength, ' characters'),
    range(schema.minItems, schema.maxItems, ' items'),
  ]
    .filter(Boolean)
    .join(', ');
}

export interface Field {
  name: string;
  type: TypeLabel;
  required: boolean;
  description: string;
  limits: string;
}

/** The fields of an object; nested ones by their path (`signIn.google`, `parts[].name`). */
export function fieldsOf(schema: Schema, prefix = ''): Field[] {
  return Object.entries(schema.properties ?? {}).flatMap(([name, inner]) => {
    const path = prefix + name;
    const field = {
      name: path,
      type: typeOf(inner),
      required: schema.required?.includes(name) === true,
      description: inner.description ?? '',
      limits: limitsOf(inner),
    };
    const nested = inner.type === 'array' ? (inner.items ?? {}) : inner;
    return [field, ...fieldsOf(nested, `${path}${inner.type === 'array' ? '[]' : ''}.`)];
  });
}

export function parameterFields(parameters: readonly Parameter[]): Field[] {
  return parameters.map(({ name, required, description, schema }) => ({
    name,
    type: typeOf(schema),
    required: required === true,
    description: description ?? schema.description ?? '',
    limits: limitsOf(schema),
  }));
}

/** The meaning of each status: from the calls of tasks first, then from the others. */
export function statusesOf(document: ApiDocument): { status: number; description: string }[] {
  const found = new Map<number, string>();
  for (const { operations } of groupsOf(document))
    for (const { responses } of operations)
      for (const [status, { description }] of Object.entries(responses))
        if (!found.has(Number(status))) found.set(Number(status), description);
  return [...found]
    .map(([status, description]) => ({ status, description }))
    .toSorted((a, b) => a.status - b.status);
}

/** The headers about rate limits, from the answers to a creation. */
export function limitHeadersOf(document: ApiDocument): { name: string; description: string }[] {
  const { responses = {} } = operationOf(document, 'createTask') ?? {};
  const headers = { ...responses['201']?.headers, ...responses['429']?.headers };
  return Object.entries(headers)
    .filter(([name]) => /ratelimit|retry-after/i.test(name))
    .map(([name, { description = '' }]) => ({ name, description }));
}
