// A request that a person fills in: what its form begins with, and the request that it makes. Pure.
import type { ApiDocument, Operation, Parameter, Schema } from './document.ts';
import { jsonOf, type HttpBody, type HttpRequest } from './code.ts';
import { sampleOf } from './sample.ts';

/** What is in the form of a call. */
export interface Draft {
  /** By {@link fieldId}; an empty one is not sent. */
  values: Readonly<Record<string, string>>;
  /** Empty where the call has no body. */
  contentType: string;
  body: string;
}

/** What is wrong with a field, by {@link fieldId}; `body` is the body's. */
export type DraftErrors = Readonly<Record<string, string>>;

const JSON_TYPE = 'application/json';
export const BODY = 'body';

export function fieldId({ in: place, name }: Pick<Parameter, 'in' | 'name'>): string {
  return `${place} ${name}`;
}

/** `taskId`: of the task that was seen last, for the calls about one. */
export function draftOf(operation: Operation, document: ApiDocument, taskId: string): Draft {
  const { parameters = [], requestBody } = operation;
  const values = parameters.flatMap((parameter): [string, string][] => {
    if (parameter.required !== true) return [];
    const sample = operation.path.startsWith('/api/v1/tasks/') && parameter.name === 'id' ? taskId : '';
    return [[fieldId(parameter), parameter.in === 'path' ? sample : textOf(parameter.schema, document)]];
  });
  const [contentType = ''] = Object.keys(requestBody?.content ?? {});
  return {
    values: Object.fromEntries(values),
    contentType,
    body: bodySample(operation, document, contentType),
  };
}

function textOf(schema: Schema, document: ApiDocument): string {
  const sample = sampleOf(schema, document);
  return typeof sample === 'string' ? sample : JSON.stringify(sample);
}

/** The body that a content type begins with. */
export function bodySample(operation: Operation, document: ApiDocument, contentType: string): string {
  const content = operation.requestBody?.content?.[contentType];
  if (content === undefined) return '';
  const sample = content.example ?? sampleOf(content.schema, document);
  return typeof sample === 'string' && contentType !== JSON_TYPE ? sample : jsonOf(sample);
}

/** The request, for `baseUrl` (an origin, or nothing) and these headers of credentials; or what is wrong. */
export function requestOf(
  operation: Operation,
  draft: Draft,
  baseUrl: string,
  credentials: readonly [string, string][],
): { request: HttpRequest; errors: DraftErrors } {
  const { parameters = [], method, path } = operation;
  const errors: Record<string, string> = {};
  const given = parameters.map((parameter) => {
    const value = draft.values[fieldId(parameter)] ?? '';
    if (value === '' && parameter.required === true) errors[fieldId(parameter)] = 'This is needed';
    return { ...parameter, value };
  });
  const inPlace = (place: Parameter['in']) =>
    given.filter((parameter) => parameter.in === place && parameter.value !== '');
  const query = new URLSearchParams();
  for (const { name, schema, value } of inPlace('query'))
    for (const each of isList(schema) ? value.split(',') : [value]) query.append(name, each.trim());
  let filled = path;
  for (const { name, value } of inPlace('path'))
    filled = filled.replace(`{${name}}`, encodeURIComponent(value));
  const body = bodyOf(draft, errors);
  return {
    errors,
    request: {
      method,
      url: `${baseUrl}${filled}${query.size === 0 ? '' : `?${query}`}`,
      headers: [
        ...credentials,
        ...inPlace('header').map(({ name, value }): [string, string] => [name, value]),
        ...(body === null ? [] : [['Content-Type', draft.contentType] as [string, string]]),
      ],
      body,
    },
  };
}

/** Whether several values may be given, with commas between them. */
export function isList({ type, anyOf = [] }: Schema): boolean {
  return type === 'array' || anyOf.some(isList);
}

function bodyOf({ contentType, body }: Draft, errors: Record<string, string>): HttpBody | null {
  if (contentType === '') return null;
  if (contentType !== JSON_TYPE) return { text: body };
  try {
    return { json: JSON.parse(body) as unknown };
  } catch (error) {
    errors[BODY] = `This is not JSON: ${error instanceof Error ? error.message : ''}`;
    return { text: body };
  }
}
