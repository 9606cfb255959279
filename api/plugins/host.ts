// Refuses a missing, repeated or malformed Host (RFC 9112, 3.2), which a proxy might read differently.
import type { FastifyRequest } from 'fastify';
import fp from 'fastify-plugin';
import { QinboxError } from '#core/errors.ts';
import { setApiHeaders } from './headers.ts';

// uri-host [ ":" port ] (RFC 3986, 3.2.2): an IPv6 address in brackets, or a name or an IPv4 address.
const IP_LITERAL = String.raw`\[(?:[\da-f:.]+|v[\da-f]+\.[\w.~!$&'()*+,;=:-]+)\]`;
const REG_NAME = String.raw`(?:[\w.~!$&'()*+,;=-]|%[\da-f]{2})*`;
const HOST = new RegExp(`^(?:${IP_LITERAL}|${REG_NAME})(?::\\d*)?$`, 'i');

/** Checks the Host of every request. The HTTP server itself must let requests without one through. */
export const hostCheck = fp(
  async (app) => {
    app.addHook('onRequest', (request, reply, done) => {
      const fault = faultOf(request);
      if (fault === null) return done();
      setApiHeaders(request, reply);
      done(new QinboxError('VALIDATION_ERROR', fault));
    });
  },
  { name: 'host-check', dependencies: ['error-bodies'] },
);

function faultOf({ raw: { rawHeaders, headers, httpVersion } }: FastifyRequest): string | null {
  let hosts = 0;
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = rawHeaders[at] as string;
    if (name.length === 4 && name.toLowerCase() === 'host') hosts++;
  }
  if (hosts > 1) return 'The request has more than one Host header.';
  // Only HTTP/1.0 may do without.
  if (headers.host === undefined) return httpVersion === '1.1' ? 'The request has no Host header.' : null;
  return HOST.test(headers.host) ? null : 'The Host header is not valid.';
}
