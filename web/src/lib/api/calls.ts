// The types of every call, taken from the server's route records. Types only: no schema reaches the bundle.
import type { Static, TSchema } from 'typebox';
import type { slackRoutes } from '#adapters/ingestion/slack/contract.ts';
import type { RouteRecord, Routes as OwnRoutes } from '#core/contract/index.ts';

type Routes = OwnRoutes & { slack: typeof slackRoutes };
type Groups = { [G in keyof Routes]: Routes[G][keyof Routes[G]] }[keyof Routes];
type NameOf<R> = R extends { base: '' }
  ? never
  : R extends { method: infer M extends string; path: infer P extends string }
    ? `${M} ${P}`
    : never;
type CallTable = { [R in Groups as NameOf<R>]: R };

/** For example `PATCH /tasks/:id/pin`. */
export type CallName = keyof CallTable;

type SchemaOf<K extends CallName> = CallTable[K] extends RouteRecord ? CallTable[K]['schema'] : never;
type Part<S, N extends string> = S extends Record<N, infer T extends TSchema> ? Static<T> : never;
type Given<S, N extends string, As extends string> = [Part<S, N>] extends [never]
  ? unknown
  : Record<As, Part<S, N>>;

/** The answer of a call that went well. */
export type Answer<K extends CallName> =
  SchemaOf<K>['response'] extends Record<200, infer T extends TSchema>
    ? Static<T>
    : SchemaOf<K>['response'] extends Record<201, infer T extends TSchema>
      ? Static<T>
      : never;

export interface CallExtras {
  signal?: AbortSignal;
  /** Ten seconds when left out. */
  timeoutMs?: number;
  /** Sends this key, or nothing, instead of the session's credentials; a 401 is then an ordinary error. */
  as?: { apiKey: string } | 'nobody';
  /** The server does calls with the same key once. */
  idempotencyKey?: string;
  /** Checked before each sending: false means that the credentials belong to another account by now. */
  onlyWhile?: () => boolean;
}

/** The options of a call: `params` and `body` where it has them, optionally `query`. */
export type CallOptions<K extends CallName> = CallExtras &
  Given<SchemaOf<K>, 'params', 'params'> &
  Given<SchemaOf<K>, 'body', 'body'> &
  ([Part<SchemaOf<K>, 'querystring'>] extends [never]
    ? unknown
    : { query?: Part<SchemaOf<K>, 'querystring'> });

/** The options may be left out where none is needed. */
export type CallArguments<K extends CallName> =
  CallExtras extends CallOptions<K> ? [options?: CallOptions<K>] : [options: CallOptions<K>];

export type Api = <K extends CallName>(call: K, ...args: CallArguments<K>) => Promise<Answer<K>>;
