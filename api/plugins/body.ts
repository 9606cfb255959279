// Reads JSON bodies: well-formed UTF-8, well-formed JSON, well-formed texts, nothing that could reach an object's prototype.
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
  // A name can be spelt with escapes, and half of a pair can be written no other way: their presence is reason enough to look.
  if (text.includes('__proto__') || text.includes('constructor') || text.includes('\\u'))
    refuseOddities(value);
  return value;
}

/** Throws for what reaches a prototype and for half of a surrogate pair: stores would take two that differ for one. */
function refuseOddities(root: unknown): void {
  const pending: { value: unknown; path: string }[] = [{ value: root, path: '' }];
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    const { value, path } = next;
    if (typeof value === 'string' && !value.isWellFormed()) throw illFormed(path);
    if (typeof value !== 'object' || value === null) continue;
    for (const [name, inner] of Object.entries(value)) {
      if (!name.isWellFormed()) throw illFormed(path);
      if (name === '__proto__' || (name === 'constructor' && hasPrototype(inner)))
        throw invalid([{ field: path === '' ? name : path, message: `must not have a field named ${name}` }]);
      pending.push({ value: inner, path: path === '' ? name : `${path}/${name}` });
    }
  }
}

function illFormed(path: string): Error {
  return invalid([{ field: path.slice(0, 200), message: 'must be well-formed Unicode' }]);
}

function hasPrototype(value: unknown): boolean {
  return typeof value === 'object' && value !== null && Object.hasOwn(value, 'prototype');
}
