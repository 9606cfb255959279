// Makes a span of each request, and lets what the request causes belong to it. Probes and upgrades are none.
import type { FastifyRequest } from 'fastify';
import fp from 'fastify-plugin';
import type { RequestTrace } from '../tracing/tracing.ts';
import type { Parts } from '../services/services.ts';

const PROBES = /^\/(?:health|ready|metrics|api\/v1\/health)(?:\?|$)/;

declare module 'fastify' {
  interface FastifyRequest {
    trace: RequestTrace | null;
  }
}

/** Adds nothing while tracing is off. */
export const requestTraces = fp<Pick<Parts, 'tracing'>>(
  async (app, { tracing: { request: begin } }) => {
    if (begin === null) return;
    app.decorateRequest('trace', null);
    app.addHook('onRequest', (request, _reply, done) => {
      const { method, headers, url, id } = request;
      if (PROBES.test(url) || headers.upgrade !== undefined) return done();
      const { traceparent } = headers;
      request.trace = begin(method, typeof traceparent === 'string' ? traceparent : undefined, id);
      within(request, done);
    });
    // A body that arrives later comes from outside of what began with the request.
    app.addHook('preValidation', (request, _reply, done) => within(request, done));
    app.addHook('onResponse', (request, reply, done) => {
      request.trace?.end(request.routeOptions.url ?? 'unknown', reply.statusCode);
      done();
    });
  },
  { name: 'request-traces' },
);

function within({ trace }: FastifyRequest, work: () => void): void {
  if (trace === null) work();
  else trace.within(work);
}
