// What a body becomes by its type, and that hostile ones are refused before anything is built of them.
import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync } from 'node:zlib';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { anyText } from '#test/helpers/characters.ts';
import { decode } from './body.ts';
import { unpack } from './content-encoding.ts';

const MIB = 1024 * 1024;
const read = (body: string | Buffer, type = 'application/json') => decode(Buffer.from(body), type, {});

function valueOf(body: string | Buffer, type?: string): unknown {
  const read_ = read(body, type);
  if (!read_.ok) throw new Error(read_.reason);
  return read_.body.value;
}

it.each([
  ['JSON', '{"a":[1,"ü"]}', 'application/json; charset=utf-8', { a: [1, 'ü'] }],
  ['JSON of another name', '{"a":1}', 'application/vnd.github+json', { a: 1 }],
  ['JSON with a byte order mark', '\uFEFF{"a":1}', 'application/json', { a: 1 }],
  ['JSON that says it is text', '{"a":1}', 'text/plain', { a: 1 }],
  ['JSON that says it is a form', '{"a":"x=1"}', 'application/x-www-form-urlencoded', { a: 'x=1' }],
  ['JSON without a type', '[1]', '', [1]],
  ['the last of repeated keys', '{"a":1,"a":2}', 'application/json', { a: 2 }],
  [
    'a form',
    'a=1&b=x+y&c=%C3%BC&a=2',
    'application/x-www-form-urlencoded',
    { a: ['1', '2'], b: 'x y', c: 'ü' },
  ],
  ['a form with JSON as payload', 'payload=%7B%22a%22%3A1%7D', 'application/x-www-form-urlencoded', { a: 1 }],
  [
    'a form with another payload',
    'payload=hello&x=1',
    'application/x-www-form-urlencoded',
    { payload: 'hello', x: '1' },
  ],
  ['what curl -d sends', 'backup failed', 'application/x-www-form-urlencoded', 'backup failed'],
  [
    'XML',
    '<?xml version="1.0"?><a x="1"><b>T &amp; J &#252;</b><b>2</b><c/></a>',
    'text/xml',
    { a: { x: '1', b: ['T & J ü', '2'], c: '' } },
  ],
  ['text', 'a {b}', 'text/plain', 'a {b}'],
  ['lines of JSON', '{"a":1}\n{"a":2}', 'application/x-ndjson', '{"a":1}\n{"a":2}'],
  ['text that begins like JSON', '[ERROR] disk full', 'text/plain', '[ERROR] disk full'],
  ['nothing', '', 'application/json', ''],
  ['blanks', ' \r\n', 'application/json', ''],
])('reads %s', (_name, body, type, value) => {
  expect(valueOf(body, type)).toEqual(value);
});

it('reads text in the charset that its type names', () => {
  expect(valueOf(Buffer.from([0xfc]), 'text/plain; charset=ISO-8859-1')).toBe('ü');
  expect(valueOf(Buffer.from('{"a":"ü"}', 'utf16le'), 'application/json; charset="utf-16le"')).toEqual({
    a: 'ü',
  });
  expect(read('x', 'text/plain; charset=klingon')).toMatchObject({
    ok: false,
    code: 'UNSUPPORTED_MEDIA_TYPE',
  });
});

it('reads the fields of a multipart form, and tells its files without keeping them', () => {
  const part = (headers: string, content: string) =>
    `--b-1\r\nContent-Disposition: form-data; ${headers}\r\n\r\n${content}\r\n`;
  const type = 'multipart/form-data; boundary="b-1"';
  const fields =
    part('name="title"', 'Hello\r\nthere') +
    part('name="tag"', 'a') +
    part('name="tag"', 'b') +
    part('name="__proto__"', 'x');
  const file = part('name="pic"; filename="a.png"\r\nContent-Type: image/png', '\0\x01\x02');
  const form = valueOf(`preamble\r\n${fields}${file}--b-1--\r\n`, type) as Record<string, unknown>;
  expect(form).toMatchObject({
    title: 'Hello\r\nthere',
    tag: ['a', 'b'],
    pic: { filename: 'a.png', contentType: 'image/png', bytes: 3 },
  });
  expect(Object.getPrototypeOf(form)).toBe(Object.prototype);
  // Plex and others send JSON beside a picture.
  expect(valueOf(`${part('name="payload"', '{"event":"media.play"}')}${file}--b-1--`, type)).toEqual({
    event: 'media.play',
  });
  // .NET writes names without quotes.
  const bare = part('name=title', 'Hello') + part("name=pic; filename=a.png; filename*=utf-8''a.png", 'x');
  expect(valueOf(`${bare}--b-1--`, type)).toMatchObject({ title: 'Hello', pic: { filename: 'a.png' } });
  expect(read(fields, type)).toMatchObject({ ok: false, code: 'VALIDATION_ERROR' });
  expect(read(fields, 'multipart/form-data')).toMatchObject({
    ok: false,
    reason: expect.stringContaining('boundary'),
  });
});

describe('the JSON in a field of a form', () => {
  const type = 'multipart/form-data; boundary=b';
  const part = (name: string, content: string, more = '') =>
    `--b\r\nContent-Disposition: form-data; name="${name}"${more}\r\n\r\n${content}\r\n`;
  const typed = '\r\nContent-Type: application/json';
  const file = part('upload', 'x', '; filename="a.png"\r\nContent-Type: image/png');
  const form = (...parts: string[]) => valueOf(`${parts.join('')}--b--\r\n`, type);
  const event = { event: 'start', n: 1 };
  const json = JSON.stringify(event);

  it.each(['payload', 'payload_json', 'data', 'event', 'json'])('is read under the name %s', (name) => {
    expect(form(part(name, json), file)).toEqual(event);
    expect(valueOf(`${name}=${encodeURIComponent(json)}`, 'application/x-www-form-urlencoded')).toEqual(
      event,
    );
  });

  it('is read under any name where its part is of that type', () => {
    expect(form(part('anything', json, typed), file)).toEqual(event);
    expect(form(part('anything', json, `; filename="blob"${typed}`))).toEqual(event);
    expect(form(part('data', '{"a":1}'), part('anything', json, typed))).toMatchObject({ anything: event });
  });

  it('takes the place of its text where the form says more, and of a message the whole', () => {
    expect(form(part('title', 'Backup'), part('data', json))).toEqual({ title: 'Backup', data: event });
    expect(form(part('title', 'x'), part('payload_json', json))).toEqual(event);
  });

  it('that is broken or a file stays what it is', () => {
    expect(form(part('data', '{"a":'))).toEqual({ data: '{"a":' });
    expect(form(part('data', json, `; filename="a.json"${typed}`))).toMatchObject({
      data: { filename: 'a.json', contentType: 'application/json' },
    });
  });
});

it('keeps bytes as what they are', () => {
  expect(read(Buffer.from([0, 255]), 'image/png')).toMatchObject({
    ok: true,
    body: { form: 'bytes', text: '', sizeBytes: 2 },
  });
  expect(read(Buffer.from([0, 255]), '')).toMatchObject({ ok: true, body: { form: 'bytes' } });
});

it('makes fields of names that mean something to JavaScript, and nothing else', () => {
  for (const [body, type] of [
    ['{"__proto__":{"admin":true},"constructor":{"prototype":{"admin":true}},"a":1}', 'application/json'],
    ['__proto__=1&constructor=2&a=1', 'application/x-www-form-urlencoded'],
  ] as const) {
    expect(read(body, type).ok).toBe(true);
    expect(({} as { admin?: unknown }).admin).toBeUndefined();
  }
  // In XML, where nobody sends them, they are refused.
  expect(read('<r><__proto__><admin>true</admin></__proto__></r>', 'text/xml').ok).toBe(false);
  expect(({} as { admin?: unknown }).admin).toBeUndefined();
});

describe('refuses, with a sentence that helps and quotes nothing', () => {
  const deep = (levels: number) => '['.repeat(levels) + ']'.repeat(levels);
  const keys = (count: number) => `{${Array.from({ length: count }, (_, at) => `"k${at}":1`).join(',')}}`;
  it.each([
    [
      'broken JSON',
      '{"password":"hunter2",\n"b" 1}',
      'application/json',
      'VALIDATION_ERROR',
      'line 2, column',
    ],
    ['JSON that is cut off', '{"password":"hunter2', 'application/json', 'VALIDATION_ERROR', 'not JSON'],
    [
      'invalid UTF-8',
      Buffer.from([0x22, 0xff, 0x22]),
      'application/json',
      'VALIDATION_ERROR',
      'not valid UTF-8',
    ],
    ['1 MiB of nested lists', deep(MIB / 2), 'application/json', 'VALIDATION_ERROR', '64 levels'],
    ['lists that never close', '['.repeat(MIB), 'application/json', 'VALIDATION_ERROR', '64 levels'],
    ['100,000 keys', keys(100_000), 'application/json', 'PAYLOAD_TOO_LARGE', '30000 fields'],
    [
      'half a million values',
      `[${'0,'.repeat(MIB / 2 - 2)}0]`,
      'application/json',
      'PAYLOAD_TOO_LARGE',
      '200000 values',
    ],
    [
      'a quarter million form fields',
      'a=1&'.repeat(MIB / 4),
      'application/x-www-form-urlencoded',
      'PAYLOAD_TOO_LARGE',
      'fields',
    ],
    ['broken XML', '<a><b></a>', 'application/xml', 'VALIDATION_ERROR', 'line 1'],
    ['nested XML', '<a>'.repeat(200) + '</a>'.repeat(200), 'application/xml', 'VALIDATION_ERROR', 'levels'],
    ['large XML', `<a>${'x'.repeat(600 * 1024)}</a>`, 'application/xml', 'PAYLOAD_TOO_LARGE', '512 KiB'],
    ['a quarter million tags', '<a>'.repeat(MIB / 4), 'application/xml', 'PAYLOAD_TOO_LARGE', 'tags'],
    [
      'an entity bomb',
      '<!DOCTYPE a [<!ENTITY b "c">]><a>&b;</a>',
      'application/xml',
      'VALIDATION_ERROR',
      'document type',
    ],
    [
      'a file from this machine',
      '<!DOCTYPE a SYSTEM "file:///etc/passwd"><a/>',
      'text/xml',
      'VALIDATION_ERROR',
      'document type',
    ],
    [
      'a hundred thousand parts',
      '--b\r\n\r\n\r\n'.repeat(100_000),
      'multipart/form-data; boundary=b',
      'PAYLOAD_TOO_LARGE',
      'fields',
    ],
  ])('%s', (_name, body, type, code, said) => {
    const answer = read(body, type);
    expect(answer).toMatchObject({ ok: false, code, reason: expect.stringContaining(said) });
    expect(JSON.stringify(answer)).not.toContain('hunter2');
  });

  it('but takes what is only nested as deep as that', () => {
    expect(read(deep(64)).ok).toBe(true);
    expect(read(`{"a":"${'[{'.repeat(500)}\\"${'[{'.repeat(500)}"}`).ok).toBe(true);
  });
});

describe('Content-Encoding', () => {
  const body = Buffer.from('{"a":"hello"}');
  it.each([
    ['gzip', gzipSync(body)],
    ['x-gzip', gzipSync(body)],
    ['br', brotliCompressSync(body)],
    ['deflate', deflateSync(body)],
    ['deflate', deflateRawSync(body)],
    ['deflate, gzip', gzipSync(deflateSync(body))],
    ['identity', body],
    ['GZIP', gzipSync(body)],
  ])('%s is undone', async (encoding, packed) => {
    expect(await unpack(packed, encoding)).toEqual({ ok: true, bytes: body });
  });

  it('is bounded: a bomb is refused, one that is known not to be a bomb is not', async () => {
    for (const [encoding, pack] of [
      ['gzip', gzipSync],
      ['br', brotliCompressSync],
      ['deflate', deflateSync],
    ] as const) {
      expect(await unpack(pack(Buffer.alloc(MIB)), encoding)).toMatchObject({ ok: true });
      expect(await unpack(pack(Buffer.alloc(8 * MIB)), encoding)).toMatchObject({
        ok: false,
        code: 'PAYLOAD_TOO_LARGE',
      });
    }
    const twice = gzipSync(gzipSync(Buffer.alloc(8 * MIB)));
    expect(await unpack(twice, 'gzip, gzip')).toMatchObject({ ok: false, code: 'PAYLOAD_TOO_LARGE' });
  });

  it('that is unknown is 415, and one that lies is 400', async () => {
    for (const encoding of ['zstd', 'gzip, x', '__proto__', 'gzip, gzip, gzip'])
      expect(await unpack(body, encoding)).toMatchObject({ ok: false, code: 'UNSUPPORTED_MEDIA_TYPE' });
    for (const bytes of [body, gzipSync(body).subarray(0, 15), Buffer.alloc(0)])
      expect(await unpack(bytes, 'gzip')).toMatchObject({ ok: false, code: 'VALIDATION_ERROR' });
  });
});

it('never throws, whatever comes', () => {
  const type = fc.constantFrom(
    'application/json',
    'text/xml',
    'text/plain',
    'text/html; charset=latin1',
    '',
    'image/png',
    'application/x-ndjson',
    'application/x-www-form-urlencoded',
    'multipart/form-data; boundary=b',
    'application/json; charset=utf-16',
  );
  const body = fc.oneof(
    fc.uint8Array({ maxLength: 200 }).map((bytes) => Buffer.from(bytes)),
    anyText({ maxLength: 200 }).map((text) => Buffer.from(text)),
    fc.json().map((text) => Buffer.from(text)),
    fc
      .constantFrom(
        '<a',
        '<a b=',
        '<!--',
        '<![CDATA[',
        '&#x0;',
        '--b',
        '--b\r\n\r\n\r\n--b',
        '=&=',
        '%',
        '{"a":',
      )
      .map((text) => Buffer.from(text)),
  );
  fc.assert(
    fc.property(body, type, (bytes, contentType) => {
      const read_ = decode(bytes, contentType, {});
      expect(read_.ok || read_.reason.length > 10).toBe(true);
    }),
    { numRuns: 300 },
  );
});
