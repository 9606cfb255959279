// HTTP as an ingestion adapter sees it, without the server behind it.
import type { RouteRecord } from '#core/contract/index.ts';

/** A request to a route of an adapter. */
export interface HttpRequest {
  method: string;
  /** Below the server's root, without the query. */
  path: string;
  params: Readonly<Record<string, string>>;
  query: Readonly<Record<string, string>>;
  /** Lower-case names; repeated ones joined with ", ". */
  headers: Readonly<Record<string, string>>;
  /** As it came, whatever its type and encoding. */
  body: Buffer;
  /** Of the client. */
  address: string;
  requestId: string;
}

export interface HttpResponse {
  status: number;
  headers?: Readonly<Record<string, string>>;
  /** An object goes out as JSON; a text as `text/plain` unless a header says otherwise. */
  body?: object | string;
}

/** What adapters answer HTTP with. What a handler throws is answered like any other fault of the API. */
export interface HttpScope {
  /**
   * `path` from the server's root, `:name` for parameters. `bodyLimit` in bytes; a larger body is 413 before
   * the handler. `record` describes one of the methods in the API's description; it changes nothing else
   * about the address.
   */
  on(
    route: { methods: readonly string[]; path: string; bodyLimit: number; record?: RouteRecord },
    handler: (request: HttpRequest) => HttpResponse | Promise<HttpResponse>,
  ): void;
}
