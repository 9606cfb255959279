// Calls that an adapter adds to the API. Its records are validated, serialised, documented and limited like
// all others; its handlers get plain data and answer plain data.
import type { Access, AnswerOf, PartOf, RouteRecord, TSchema } from '#core/contract/index.ts';
import type { AdapterStore } from '#core/ports/adapter-store.ts';
import type { Clock } from '#core/ports/clock.ts';
import type { AdapterSettings } from './intake.ts';

/** A record of a call that needs a caller. Addresses for anybody are an {@link HttpScope}'s. */
export type AdapterRouteRecord = RouteRecord & { access: Exclude<Access, 'public' | 'guest' | 'metrics'> };

/** Who calls. */
export interface RouteCaller {
  ownerId: string;
  isAdministrator: boolean;
  /**
   * Makes something that outlives the session, and undoes it when the session ended meanwhile. Throws
   * UNAUTHORIZED then, and FORBIDDEN for an API key.
   */
  whileSignedIn<T>(make: () => Promise<T>, undo: (made: T) => Promise<void>): Promise<T>;
}

/** A request that was validated against its record. */
export interface RouteCall<R extends RouteRecord = RouteRecord> {
  params: PartOf<R, 'params'>;
  query: PartOf<R, 'querystring'>;
  body: PartOf<R, 'body'>;
  caller: RouteCaller;
}

/** What a handler answers with. It goes out with `success: true` and the record's first 2xx status. */
type Result<R extends RouteRecord> = Omit<AnswerOf<R>, 'success'>;

/** One call; made by {@link route}. */
export interface AdapterRoute {
  record: AdapterRouteRecord;
  handle(call: RouteCall): object | Promise<object>;
}

/** Binds a handler to its record; types the request and the answer. */
export function route<R extends AdapterRouteRecord>(
  record: R,
  handle: (call: RouteCall<R>) => Result<R> | Promise<Result<R>>,
): AdapterRoute {
  return { record, handle };
}

/** Users by e-mail address, disabled ones included. */
export interface UserDirectory {
  /** Null when nobody has proven this address. `email` is as it is stored. */
  find(email: string): Promise<{ id: string; email: string } | null>;
  /** Addresses by user id. */
  emails(): Promise<ReadonlyMap<string, string>>;
}

export interface RouteContext<C = unknown> {
  /** Null when the config does not switch the adapter on. */
  config: C | null;
  settings: AdapterSettings;
  clock: Clock;
  store: AdapterStore;
  users: UserDirectory;
}

/**
 * The calls of one adapter. Served wherever the API is, also while the adapter is off or runs in another
 * process.
 */
export interface AdapterRoutes<C = unknown> {
  /** The tag that its records name, as the API's description lists it. */
  tag: { name: string; description: string };
  /** Schemas that its records refer to by `$id`. */
  schemas: readonly TSchema[];
  create(context: RouteContext<C>): readonly AdapterRoute[];
}
