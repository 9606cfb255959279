// Reads JSON bodies: well-formed UTF-8, well-formed JSON, nothing that could reach an object's prototype.
import { isUtf8 } from 'node:buffer';
import type { FastifyInstance } from 'fastify';
import { invalid } from '#core/errors.ts';

/** Makes `app` take JSON and nothing else. An empty body is none. */
export function useJsonBodies(app: FastifyInstance): void {
  app.removeAllContentTypeParsers();
  app.addContentTypeParser<Buffer>('application/json', { parseAs: 'buffer' }, (_request, body, done) => {
    try {
      done(null, body.length === 0 ? undefined : parseJson(body));
    } catch (error) {
      done(error as Error);
    }
  });
}

/** Makes `app` take bodies of this type as text. */
export function useTextBodies(app: FastifyInstance, contentType: string): void {
  app.addContentTypeParser<Buffer>(contentType, { parseAs: 'buffer' }, (_request, body, done) => {
    try {
      done(null, decode(body));
    } catch (error) {
      done(error as Error);
    }
  });
}

function decode(body: Buffer): string {
  if (!isUtf8(body)) throw invalid([{ field: '', message: 'the body is not valid UTF-8' }]);
  return body.toString('utf8');
}

function parseJson(body: Buffer): unknown {
  const text = decode(body);
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    throw invalid([
      { field: '', message: `the body is not valid JSON (${(error as Error).message.slice(0, 100)})` },
    ]);
  }
  // A key can be spelt with escapes, so their presence is reason enough to look.
  if (text.includes('__proto__') || text.includes('constructor') || text.includes('\\u'))
    refusePrototypes(value, '');
  return value;
}

function refusePrototypes(value: unknown, path: string): void {
  const pending: { value: unknown; path: string }[] = [{ value, path }];
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    if (typeof next.value !== 'object' || next.value === null) continue;
    for (const [name, inner] of Object.entries(next.value)) {
      if (name === '__proto__' || (name === 'constructor' && hasPrototype(inner)))
        throw invalid([
          { field: next.path === '' ? name : next.path, message: `must not have a field named ${name}` },
        ]);
      pending.push({ value: inner, path: next.path === '' ? name : `${next.path}/${name}` });
    }
  }
}

function hasPrototype(value: unknown): boolean {
  return typeof value === 'object' && value !== null && Object.hasOwn(value, 'prototype');
}
