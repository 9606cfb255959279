// Traces by OpenTelemetry, sent as OTLP over HTTP. Nothing is registered globally and no module is patched:
// spans are made where the program says so. The standard's variables are read by the packages themselves.
import { AsyncLocalStorage } from 'node:async_hooks';
import {
  ROOT_CONTEXT,
  SpanKind,
  SpanStatusCode,
  TraceFlags,
  diag,
  DiagLogLevel,
  trace,
  type Context,
  type Span,
} from '@opentelemetry/api';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { detectResources, envDetector, resourceFromAttributes } from '@opentelemetry/resources';
import { BasicTracerProvider, BatchSpanProcessor } from '@opentelemetry/sdk-trace-base';
import { QinboxError } from '#core/errors.ts';
import type { SpanOptions, Tracer } from '#core/ports/tracer.ts';
import { withTimeLimit } from '#core/time-limit.ts';
import type { RequestTrace, Tracing } from './tracing.ts';

const CLOSE_LIMIT_MS = 2000;
const KINDS: Record<SpanOptions['kind'], SpanKind> = {
  server: SpanKind.SERVER,
  client: SpanKind.CLIENT,
  producer: SpanKind.PRODUCER,
  consumer: SpanKind.CONSUMER,
};
/** W3C Trace Context, section 3.2: version 00, trace id, span id, flags. */
const TRACEPARENT = /^[\da-f]{2}-([\da-f]{32})-([\da-f]{16})-([\da-f]{2})/;

export function startOpenTelemetry(about: { version: string; instance: string; role: string }): Tracing {
  const own = resourceFromAttributes({
    'service.name': 'qinbox',
    'service.version': about.version,
    'service.instance.id': about.instance,
    'qinbox.role': about.role,
  });
  const provider = new BasicTracerProvider({
    resource: own.merge(detectResources({ detectors: [envDetector] })),
    spanProcessors: [new BatchSpanProcessor(new OTLPTraceExporter())],
  });
  const source = provider.getTracer('qinbox', about.version);
  const current = new AsyncLocalStorage<Span>();

  function open(name: string, { kind, attributes = {}, parent }: SpanOptions): Span {
    const cause = parent === undefined ? contextOf(current.getStore()) : remoteContext(parent);
    return source.startSpan(name, { kind: KINDS[kind], attributes }, cause);
  }

  const tracer: Tracer = {
    async span(name, options, work) {
      if (options.onlyWithin === true && current.getStore() === undefined) return work();
      const span = open(name, options);
      try {
        return await current.run(span, work);
      } catch (fault) {
        // The code alone: a message may quote what somebody sent.
        const message = fault instanceof QinboxError ? fault.code : 'INTERNAL_ERROR';
        span.setStatus({ code: SpanStatusCode.ERROR, message });
        throw fault;
      } finally {
        span.end();
      }
    },
    traceparent() {
      const span = current.getStore()?.spanContext();
      if (span === undefined) return undefined;
      const flags = (span.traceFlags & TraceFlags.SAMPLED).toString(16).padStart(2, '0');
      return `00-${span.traceId}-${span.spanId}-${flags}`;
    },
  };

  return {
    tracer,
    logFields() {
      const span = current.getStore()?.spanContext();
      return span === undefined ? {} : { traceId: span.traceId, spanId: span.spanId };
    },
    request(method, traceparent, requestId): RequestTrace {
      const attributes = { 'http.request.method': method, 'qinbox.request_id': requestId };
      const span = open(method, { kind: 'server', attributes, parent: traceparent ?? '' });
      return {
        within: (work) => current.run(span, work),
        end(route, status) {
          span.updateName(`${method} ${route}`);
          span.setAttributes({ 'http.route': route, 'http.response.status_code': status });
          if (status >= 500) span.setStatus({ code: SpanStatusCode.ERROR });
          span.end();
        },
      };
    },
    onFault(hear) {
      const tell = (message: string) => hear(new Error(message));
      const none = () => {};
      const logger = { error: tell, warn: none, info: none, debug: none, verbose: none };
      diag.setLogger(logger, { logLevel: DiagLogLevel.ERROR, suppressOverrideMessage: true });
    },
    async close() {
      await withTimeLimit(CLOSE_LIMIT_MS, provider.shutdown(), () => undefined).catch(() => undefined);
    },
  };
}

function contextOf(span: Span | undefined): Context {
  return span === undefined ? ROOT_CONTEXT : trace.setSpan(ROOT_CONTEXT, span);
}

/** What cannot be read begins a trace of its own. */
function remoteContext(traceparent: string): Context {
  const [, traceId = '', spanId = '', flags = ''] = TRACEPARENT.exec(traceparent) ?? [];
  const remote = {
    traceId,
    spanId,
    traceFlags: Number.parseInt(flags, 16) & TraceFlags.SAMPLED,
    isRemote: true,
  };
  return trace.setSpanContext(ROOT_CONTEXT, remote);
}
