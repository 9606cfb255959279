// Reads JSON bodies: well-formed UTF-8, JSON and Unicode, and no field that reaches a prototype.
import { isUtf8 } from 'node:buffer';
import type { FastifyInstance } from 'fastify';
import fp from 'fastify-plugin';
import { invalid, QinboxError } from '#core/errors.ts';
import { structureFault } from './json-structure.ts';

/** Takes JSON and nothing else. An empty body is none. */
export const jsonBodies = fp(
  async (app) => {
    app.removeAllContentTypeParsers();
    addParser(app, 'application/json', (body) => (body.length === 0 ? undefined : parseBody(body)));
  },
  { name: 'json-bodies' },
);

/** Makes `app` take bodies of this type as text. */
export function takeText(app: FastifyInstance, contentType: string): void {
  addParser(app, contentType, decode);
}

function addParser(app: FastifyInstance, contentType: string, parse: (body: Buffer) => unknown): void {
  app.addContentTypeParser<Buffer>(contentType, { parseAs: 'buffer' }, (request, body, done) => {
    try {
      refuseEncoded(request.headers['content-encoding']);
      done(null, parse(body));
    } catch (error) {
      done(error as Error);
    }
  });
}

function refuseEncoded(encoding = 'identity'): void {
  if (encoding.trim().toLowerCase() === 'identity') return;
  const text = 'A body with a Content-Encoding is not taken here. Send it as it is.';
  throw new QinboxError('UNSUPPORTED_MEDIA_TYPE', text);
}

function decode(body: Buffer): string {
  if (!isUtf8(body)) throw invalid([{ field: '', message: 'the body is not valid UTF-8' }]);
  return body.toString('utf8');
}

/** The value of a body in JSON. VALIDATION_ERROR, also for one that takes seconds to build. */
export function parseBody(body: Buffer): unknown {
  const text = textOf(body);
  const fault = structureFault(text);
  if (fault !== null) throw invalid([{ field: '', message: `the body ${fault}` }]);
  return parseText(text);
}

/** The value of a file in JSON, however long it takes to build. VALIDATION_ERROR. */
export function parseJson(file: Buffer): unknown {
  return parseText(textOf(file));
}

function textOf(bytes: Buffer): string {
  // Editors and shells of Windows begin a file with a byte order mark (RFC 8259, 8.1).
  return decode(bytes).replace(/^\uFEFF/, '');
}

/** VALIDATION_ERROR, also for fields that reach a prototype. */
function parseText(text: string): unknown {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    throw invalid([
      { field: '', message: `the body is not valid JSON (${(error as Error).message.slice(0, 100)})` },
    ]);
  }
  // Names may be written with escapes, and half of a surrogate pair can only be.
  if (text.includes('__proto__') || text.includes('constructor') || text.includes('\\u'))
    refuseOddities(value);
  return value;
}

/** Refuses fields that reach a prototype, and half surrogate pairs, of which stores take two for equal. */
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
