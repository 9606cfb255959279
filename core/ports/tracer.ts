// Traces: what a request caused, in which process, and how long each step took. Off unless the operator asks.

/** Few and short; no secret, no content, nothing of a person. */
export type SpanAttributes = Readonly<Record<string, string | number | boolean>>;

export interface SpanOptions {
  /** Server: a request that came in. Client: a call of a store. Producer and consumer: sides of a queue. */
  kind: 'server' | 'client' | 'producer' | 'consumer';
  attributes?: SpanAttributes;
  /** Of the span that caused it, as W3C `traceparent`; else it is the current one. */
  parent?: string | undefined;
  /** Without a cause there is no span. */
  onlyWithin?: boolean;
}

export interface Tracer {
  /** Runs the work as a span, which is current meanwhile. */
  span<T>(name: string, options: SpanOptions, work: () => Promise<T>): Promise<T>;
  /** Of the current span, as W3C `traceparent`; undefined while there is none. */
  traceparent(): string | undefined;
}

/** Traces nothing. */
export const noTracer: Tracer = {
  span: (_name, _options, work) => work(),
  traceparent: () => undefined,
};
