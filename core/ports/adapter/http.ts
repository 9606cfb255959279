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

/** A request whose answer may go on. */
export interface StreamRequest extends HttpRequest {
  /** Aborted when the connection is closed. */
  signal: AbortSignal;
}

/**
 * Texts that go out one by one, each when the client has taken the ones before. Once the request's signal is
 * aborted, the iteration must end and wait for no text.
 */
export type TextStream = AsyncIterable<string>;

export interface HttpResponse {
  status: number;
  headers?: Readonly<Record<string, string>>;
  /** An object goes out as JSON; a text as `text/plain` unless a header says otherwise. */
  body?: object | string;
  /** What it answers, where that was thrown: logged and counted as one that the adapter passed on. */
  fault?: Error;
}

/** An answer that goes on until it ends or the client leaves. */
export interface StreamResponse {
  headers?: Readonly<Record<string, string>>;
  stream: TextStream;
}

type StreamHandler = (request: StreamRequest) => Promise<HttpResponse | StreamResponse>;

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
  /** A GET whose answer may be a stream. */
  stream(path: string, handler: StreamHandler): void;
  /**
   * A WebSocket, from any origin, so that a client must bring its own credentials. A stream opens it and goes
   * out as messages; any other answer refuses it. What the client sends is not read.
   */
  socket(path: string, handler: StreamHandler): void;
}
