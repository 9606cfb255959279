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
  /** Bytes of a body over the limit, where the route has such ones read and not kept: `body` is empty. */
  dropped?: number;
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

export interface HttpRoute {
  methods: readonly string[];
  /** From the server's root, `:name` for parameters. */
  path: string;
  /** In bytes; a larger body is 413 before the handler. */
  bodyLimit: number;
  /** In bytes; a body between the two limits is read and not kept. */
  dropLimit?: number;
  /** Describes one of the methods in the API's description; it changes nothing else about the address. */
  record?: RouteRecord;
  /** The answer to a fault that comes before the handler; null for the API's own. */
  refused?: (request: HttpRequest, status: number, reason: string) => HttpResponse | null;
}

/** What adapters answer HTTP with. What a handler throws is answered like any other fault of the API. */
export interface HttpScope {
  on(route: HttpRoute, handler: (request: HttpRequest) => HttpResponse | Promise<HttpResponse>): void;
  /** A GET whose answer may be a stream. */
  stream(path: string, handler: StreamHandler): void;
  /**
   * A WebSocket, from any origin, so that a client must bring its own credentials. A stream opens it and goes
   * out as messages; any other answer refuses it. What the client sends is not read.
   */
  socket(path: string, handler: StreamHandler): void;
}
