// What HTTP itself asks of a server, byte for byte on real sockets: methods that an address does not take,
// and one sound Host.
import type { FastifyInstance } from 'fastify';
import { METHODS } from 'node:http';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { buildFixture, type Fixture } from '#test/helpers/app.ts';
import { exchange, listen } from '#test/helpers/raw.ts';

let fixture: Fixture;
let app: FastifyInstance;
let port: number;
beforeAll(async () => {
  fixture = await buildFixture();
  app = fixture.app;
  port = await listen(app);
});
afterAll(() => fixture.close());

interface Answer {
  status: number;
  headers: Map<string, string>;
  body: unknown;
}

/** Asks with exactly these header lines. */
async function ask(line: string, ...headers: string[]): Promise<Answer> {
  const text = await exchange(port, [line, ...headers, 'Connection: close', '', ''].join('\r\n'));
  const [head = '', body = ''] = text.split('\r\n\r\n');
  const [first = '', ...lines] = head.split('\r\n');
  return {
    status: Number(first.split(' ')[1]),
    headers: new Map(
      lines.map((each): [string, string] => {
        const colon = each.indexOf(':');
        return [each.slice(0, colon).toLowerCase(), each.slice(colon + 1).trim()];
      }),
    ),
    body: body.startsWith('{') ? JSON.parse(body) : body,
  };
}

const HOST = 'Host: localhost';

describe('a method that an address does not take', () => {
  const unusual = METHODS.filter(
    (name) => !['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'CONNECT'].includes(name),
  );

  it.each(['TRACE', 'QUERY', 'OPTIONS', 'PROPFIND', ...unusual])(
    '%s is 405 with what is taken',
    async (method) => {
      for (const [path, allow] of [
        ['/api/v1/tasks', 'GET, HEAD, POST, PATCH'],
        ['/api/v1/tasks/task_1?x=1', 'GET, HEAD, PUT, DELETE'],
        ['/health', 'GET, HEAD'],
        ['/inbox', 'GET, HEAD'],
      ] as const) {
        const { status, headers, body } = await ask(`${method} ${path} HTTP/1.1`, HOST, 'Content-Length: 0');
        expect({ path, status, allow: sorted(headers.get('allow')) }).toEqual({
          path,
          status: 405,
          allow: sorted(allow),
        });
        expect(headers.get('x-request-id')).toMatch(/^\w+$/);
        expect(body).toMatchObject({
          success: false,
          code: 'METHOD_NOT_ALLOWED',
          requestId: expect.any(String),
        });
      }
    },
  );

  it.each(['DELETE', 'PUT'])('%s is refused before its body is read', async (method) => {
    const { status, headers } = await ask(
      `${method} /api/v1/tasks HTTP/1.1`,
      HOST,
      'Content-Length: 9000000',
    );
    expect({ status, allow: sorted(headers.get('allow')) }).toEqual({
      status: 405,
      allow: ['GET', 'HEAD', 'PATCH', 'POST'],
    });
  });

  it('that the parser does not know is 405 as well, and what is no HTTP is 400', async () => {
    const unknown = await ask('BREW /api/v1/tasks HTTP/1.1', HOST);
    expect(unknown).toMatchObject({ status: 405, body: { code: 'METHOD_NOT_ALLOWED' } });
    expect(unknown.headers.get('allow')).toContain('GET');
    for (const line of ['\u0016\u0003\u0001 hello', 'BREW', 'BREW /api/v1/tasks HTTP/9'])
      expect(await ask(line, HOST)).toMatchObject({ status: 400, body: { code: 'VALIDATION_ERROR' } });
  });

  it.each(['GET', 'TRACE', 'QUERY'])('%s of an address that nobody knows is 404', async (method) => {
    const { status, headers } = await ask(`${method} /api/v1/nothing HTTP/1.1`, HOST, 'Content-Length: 0');
    expect({ status, allow: headers.get('allow') }).toEqual({ status: 404, allow: undefined });
  });
});

describe('the Host of a request', () => {
  it.each([
    ['twice', ['Host: localhost', 'Host: evil.example'], /more than one/],
    ['twice, the same', ['Host: localhost', 'hOST: localhost'], /more than one/],
    ['not at all', [], /no Host/],
    ['with a path', ['Host: localhost/x'], /not valid/],
    ['with a name and password', ['Host: a:b@localhost'], /not valid/],
    ['with a port that is none', ['Host: localhost:http'], /not valid/],
    ['with a space', ['Host: local host'], /not valid/],
    ['as a list', ['Host: a.example, b.example'], /not valid/],
    ['with a broken address', ['Host: [::1'], /not valid/],
  ])('given %s is 400, everywhere', async (_how, hosts, message) => {
    for (const path of ['/health', '/api/v1/tasks', '/', '/nothing']) {
      const { status, body } = await ask(`GET ${path} HTTP/1.1`, ...hosts);
      expect(status).toBe(400);
      expect(body).toMatchObject({
        code: 'VALIDATION_ERROR',
        error: expect.stringMatching(message),
        requestId: expect.any(String),
      });
    }
  });

  it.each([
    'localhost',
    'localhost:3000',
    'qinbox.example.com.',
    '127.0.0.1:1',
    '[::1]:3000',
    '[fe80::1]',
    'x_y.local',
    'b%C3%BCcher.example',
    'xn--bcher-kva.example:',
    '',
  ])('%j is taken', async (host) => {
    expect((await ask('GET /health HTTP/1.1', `Host: ${host}`)).status).toBe(200);
  });

  it('may be left out in HTTP/1.0', async () => {
    expect((await ask('GET /health HTTP/1.0')).status).toBe(200);
    expect((await ask('GET /health HTTP/1.0', 'Host: a', 'Host: b')).status).toBe(400);
  });
});

const sorted = (list: string | undefined) => list?.split(', ').toSorted();
