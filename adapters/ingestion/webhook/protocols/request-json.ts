// The JSON of a request whose token stands in its body, read before anything is proven: so it is small.
import type { HttpRequest } from '#core/ports/adapter/http.ts';

/** PagerDuty's own limit for an event. */
const MAX_BYTES = 512 * 1024;

/** The value; undefined for what is no JSON, too large, or encoded. */
export function jsonOf({ body, headers }: HttpRequest): unknown {
  if (body.length > MAX_BYTES || headers['content-encoding'] !== undefined) return undefined;
  try {
    return JSON.parse(body.toString('utf8')) as unknown;
  } catch {
    return undefined;
  }
}

/** The request with this JSON as its body. */
export function withJson(request: HttpRequest, value: object): HttpRequest {
  const { 'content-encoding': _, ...sent } = request.headers;
  const headers = { ...sent, 'content-type': 'application/json' };
  return { ...request, headers, body: Buffer.from(JSON.stringify(value)) };
}
