// What the program does with traces: nothing, unless the operator named a collector; then the packages of
// OpenTelemetry are loaded.
import { noTracer, type Tracer } from '#core/ports/tracer.ts';

/** A request on its way: ended when it was answered. */
export interface RequestTrace {
  /** Runs what belongs to the request. */
  within(work: () => void): void;
  end(route: string, status: number): void;
}

export interface Tracing {
  tracer: Tracer;
  /** Fields of every log entry that is written within a span. */
  logFields(): object;
  /** Null while tracing is off. */
  request: ((method: string, traceparent: string | undefined, requestId: string) => RequestTrace) | null;
  /** Hears of it when spans cannot be sent. */
  onFault(hear: (error: unknown) => void): void;
  /** Sends what was not sent yet, for two seconds at most. */
  close(): Promise<void>;
}

export const noTracing: Tracing = {
  tracer: noTracer,
  logFields: () => ({}),
  request: null,
  onFault: () => {},
  close: () => Promise.resolve(),
};

/** Begins to trace where there is a collector to send to. */
export async function startTracing(
  isOn: boolean,
  about: { version: string; instance: string; role: string },
) {
  if (!isOn) return noTracing;
  const { startOpenTelemetry } = await import('./open-telemetry.ts');
  return startOpenTelemetry(about);
}
