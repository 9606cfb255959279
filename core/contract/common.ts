// Shapes that every call shares: times, the error body, route records. Plain data: the API validates and
// serialises with it, OpenAPI is made of it, the web app takes its types from it.
import { Type, type Static, type TObject, type TProperties, type TSchema } from 'typebox';

export type { TSchema };

/**
 * A form that an adapter describes: a flat object whose fields carry title, description, default, enum and,
 * for secrets, `secret: true`.
 */
export type Form = TObject;

/** An object that other schemas refer to by its name, see {@link refTo}. */
export function shape<P extends TProperties>($id: string, properties: P) {
  return Type.Object(properties, { $id });
}

/** A moment in UTC, ISO 8601 with milliseconds (RFC 3339), for example `2026-11-21T09:00:00.000Z`. */
export const IsoTime = Type.String({ format: 'date-time', examples: ['2026-11-21T09:00:00.000Z'] });

/**
 * A moment that a request names and that must be to come. It has no example: tools send that as it stands,
 * and it would be refused from its day on.
 */
export const TimeToCome = Type.String({ format: 'date-time' });

/**
 * What went wrong with one field of a request: its path (`tags/3`) and a sentence that says what it must be.
 */
export const ErrorDetail = Type.Object({ field: Type.String(), message: Type.String() });
export type ErrorDetail = Static<typeof ErrorDetail>;

/** The body of every answer that is not a success. `code` is stable, `error` is for people. */
export const ErrorBody = shape('Error', {
  success: Type.Literal(false),
  error: Type.String({ description: 'What happened and what to do next, for people.' }),
  code: Type.String({ description: 'Stable code, for programs.', examples: ['UNAUTHORIZED'] }),
  requestId: Type.String({
    description: 'Quote it when asking for help; also in the `x-request-id` header.',
  }),
  details: Type.Optional(Type.Array(ErrorDetail, { description: 'Which fields were refused, and why.' })),
});
export type ErrorBody = Static<typeof ErrorBody>;

/**
 * The pattern of a text in which something is seen, as core/domain/blank.ts decides, for the OpenAPI
 * document. Written out, since not every language knows Unicode's properties; what is beyond the Basic
 * Multilingual Plane, such as tags, passes here and is refused there.
 */
export const SEEN =
  String.raw`[^\s\u0000-\u001F\u007F-\u009F\u00AD\u034F\u061C\u115F\u1160\u17B4\u17B5\u180B-\u180F\u200B-\u200F` +
  String.raw`\u202A-\u202E\u2060-\u206F\u2800\u3164\uFE00-\uFE0F\uFEFF\uFFA0\uFFF0-\uFFFB]`;

/** Text that is not blank. `refusal` is the sentence that a blank one is refused with, as specified. */
export function nonBlank(refusal: string, options: object = {}) {
  return Type.String({ pattern: SEEN, 'x-refusal': refusal, ...options });
}

/** Where a reference keeps the schema that it refers to. */
const TARGET = Symbol('target');

/** Refers to a schema that is registered under its `$id`, keeping its static type. */
export function refTo<T extends TSchema>(schema: T) {
  const { $id } = schema as { $id?: string };
  return Type.Unsafe<Static<T>>({ $ref: `${$id}#`, [TARGET]: schema });
}

/** Every schema that is referred to in `part`, directly or through others. */
export function referredSchemas(part: unknown, found = new Set<TSchema>()): Set<TSchema> {
  if (typeof part !== 'object' || part === null) return found;
  const { [TARGET]: target } = part as { [TARGET]?: TSchema };
  if (target !== undefined && !found.has(target)) referredSchemas(target, found.add(target));
  for (const inner of Object.values(part)) referredSchemas(inner, found);
  return found;
}

const errorRef = refTo(ErrorBody);

/** The responses of a call with these statuses, all of them an {@link ErrorBody}. */
export function errors<const S extends number>(...statuses: S[]): Record<S, typeof errorRef> {
  return Object.fromEntries(statuses.map((status) => [status, errorRef])) as Record<S, typeof errorRef>;
}

/**
 * Who may make a call.
 * - `public`: anybody.
 * - `guest`: as `read`; also guests, where the operator names a public queue.
 * - `read`, `write`: a signed-in session, or an API key with that scope.
 * - `read-write`: a signed-in session, or an API key with both scopes.
 * - `create`: a signed-in session, or an API key with `write` or `ingest`.
 * - `authenticated`: a signed-in session or any valid API key.
 * - `session`: a signed-in session only; an API key gets 403.
 * - `admin`: the signed-in session of an administrator.
 * - `metrics`: the operator's metrics token.
 */
export type Access =
  | 'public'
  | 'guest'
  | 'read'
  | 'write'
  | 'read-write'
  | 'create'
  | 'authenticated'
  | 'session'
  | 'admin'
  | 'metrics';

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/**
 * What a call's rate is counted by: the caller's own windows, the stricter ones of sign-in per address, or
 * nothing.
 */
export type LimitKind = 'caller' | 'sign-in' | 'refresh' | 'none';

/** Headers of an answer, as OpenAPI describes them. */
export type AnswerHeaders = Readonly<Record<string, { type: 'string' | 'integer'; description: string }>>;

/** One call of the API: everything about it but its handler. */
export interface RouteRecord {
  method: Method;
  /** Path below `API_BASE`, with `:name` parameters; root routes give `base: ''`. */
  path: string;
  /** What the path is appended to; `API_BASE` when left out. */
  base?: string;
  access: Access;
  /** `caller` when left out. */
  limit?: LimitKind;
  /** Whether its answer may be larger than a task: it is only made while there is room for it. */
  answersMuch?: boolean;
  /** Headers of the answers with these statuses, besides those that come with its limit and access. */
  answerHeaders?: Readonly<Record<number, AnswerHeaders>>;
  schema: {
    operationId: string;
    summary: string;
    description?: string;
    tags: readonly string[];
    params?: TSchema;
    querystring?: TSchema;
    headers?: TSchema;
    body?: TSchema;
    /** Bodies of other content types than `application/json`. */
    consumes?: Readonly<Record<string, TSchema>>;
    response: Record<number, TSchema>;
    /** The content type of the answers that are a success; `application/json` when left out. */
    produces?: string;
    /** What the server sends over a WebSocket that the call has opened. */
    messages?: TSchema;
  };
}

type Setting = 'base' | 'limit' | 'answersMuch' | 'answerHeaders';
type RouteOptions = Pick<RouteRecord, Setting> & Omit<RouteRecord['schema'], 'tags'>;

/** Makes the route records of one tag. Their literal types stay: typed calls are made from them. */
export function routesTagged(tag: string) {
  return <M extends Method, P extends string, A extends Access, const O extends RouteOptions>(
    method: M,
    path: P,
    access: A,
    options: O,
  ) => {
    const { base, limit, answersMuch, answerHeaders, ...schema } = options;
    const all = Object.entries({ base, limit, answersMuch, answerHeaders });
    const given = Object.fromEntries(all.filter(([, value]) => value !== undefined));
    const settings = given as Pick<O, Setting & keyof O>;
    return { ...settings, method, path, access, schema: { ...schema, tags: [tag] } };
  };
}

/** One of these texts. */
export function oneOf<const T extends string>(values: readonly T[], options: { description?: string } = {}) {
  return Type.Unsafe<T>({ type: 'string', enum: values, ...options });
}

export const nullable = <T extends TSchema>(schema: T, options: { description?: string } = {}) =>
  Type.Union([schema, Type.Null()], options);

export const success = Type.Literal(true);
/** The parameters of a path with an id. */
export const id = Type.Object({ id: Type.String({ minLength: 1, maxLength: 100 }) });

/** The type of one part of a call's request; `unknown` where the record has none. */
export type PartOf<R extends RouteRecord, K extends 'params' | 'querystring' | 'headers' | 'body'> =
  R['schema'] extends Record<K, infer S extends TSchema> ? Static<S> : unknown;

/** What the answer of a successful call looks like, by route record. */
export type AnswerOf<R extends RouteRecord> = {
  [S in keyof R['schema']['response']]: S extends 200 | 201 | 202
    ? Static<R['schema']['response'][S]>
    : never;
}[keyof R['schema']['response']];
