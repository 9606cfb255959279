// The API's own description is sound and whole.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { describe, expect, it, onTestFinished } from 'vitest';
import { ERROR_TABLE } from '#core/errors.ts';
import { createTestApp } from '#test/helpers/app.ts';

interface Document {
  openapi: string;
  paths: Record<string, Record<string, { operationId: string }>>;
}

interface Described {
  paths: Record<string, Record<string, { responses: Record<string, { description: string }> }>>;
}

describe('the OpenAPI document', () => {
  it('passes the linter without errors', async () => {
    const { call } = await createTestApp();
    const { text } = await call('GET', '/openapi.json');
    const folder = mkdtempSync(join(tmpdir(), 'qinbox-openapi-'));
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
    const file = join(folder, 'openapi.json');
    writeFileSync(file, text);
    const { status, stdout, stderr } = spawnSync(
      'npx',
      ['redocly', 'lint', '--config', 'redocly.yaml', file],
      {
        encoding: 'utf8',
        env: { ...process.env, REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' },
      },
    );
    expect(status, stdout + stderr).toBe(0);
  });

  it.each([
    ['br', brotliDecompressSync],
    ['gzip', gunzipSync],
  ])('is sent as %s to those who take it, at a tenth of its size', async (encoding, decode) => {
    const { app } = await createTestApp();
    const ask = (headers: Record<string, string>) => app.inject({ url: '/api/v1/openapi.json', headers });
    const plain = await ask({});
    const sent = await ask({ 'accept-encoding': encoding });
    expect([plain.headers['content-encoding'], sent.headers['content-encoding']]).toEqual([
      undefined,
      encoding,
    ]);
    expect(sent.headers).toMatchObject({
      vary: 'accept-encoding',
      'content-type': plain.headers['content-type'],
    });
    expect(decode(sent.rawPayload).equals(plain.rawPayload)).toBe(true);
    expect(sent.rawPayload.length).toBeLessThan(plain.rawPayload.length / 10);
  });

  it('tells of every route that is served, and of none that is not', async () => {
    const servedRoutes: string[] = [];
    const { app, call } = await createTestApp({}, (route) => {
      const { method, url, config } = route;
      if (config?.record !== undefined && method !== 'HEAD')
        servedRoutes.push(`${String(method)} ${url.replaceAll(/:(\w+)/g, '{$1}')}`);
    });
    const { body } = await call('GET', '/openapi.json');
    const { openapi, paths } = body as unknown as Document;
    expect(openapi).toBe('3.1.0');
    const told = Object.entries(paths).flatMap(([path, operations]) =>
      Object.keys(operations).map((method) => `${method.toUpperCase()} ${path}`),
    );
    for (const route of told) {
      const [method, path] = route.split(' ') as [string, string];
      expect(app.hasRoute({ method: method, url: path.replaceAll(/\{(\w+)\}/g, ':$1') }), route).toBe(true);
    }
    expect(told.toSorted()).toEqual(servedRoutes.toSorted());
    const ids = Object.values(paths).flatMap((operations) =>
      Object.values(operations).map(({ operationId }) => operationId),
    );
    expect(new Set(ids).size).toBe(ids.length);
  });

  it('lists every error code, the limits of an API key here, and the statuses in the words of the specification', async () => {
    const { call } = await createTestApp({ RATE_LIMIT_PER_MINUTE: '7', SUPPORT_EMAIL: 'help@example.com' });
    const { body } = await call('GET', '/openapi.json');
    expect(body).toMatchObject({ 'x-rate-limit': { perMinute: 7, perHour: 1000 } });
    const codes = (body as unknown as { 'x-error-codes': { code: string; status: number }[] })[
      'x-error-codes'
    ];
    expect(codes.map(({ code }) => code)).toEqual(Object.keys(ERROR_TABLE));
    expect(codes).toContainEqual(expect.objectContaining({ code: 'UNAUTHORIZED', status: 401 }));
    const { paths } = body as unknown as Described;
    const told = {
      ...paths['/api/v1/tasks']?.post?.responses,
      ...paths['/api/v1/tasks/{id}']?.delete?.responses,
    };
    expect(
      Object.fromEntries(Object.entries(told).map(([status, { description }]) => [status, description])),
    ).toMatchObject({
      200: 'Success',
      201: 'Created successfully',
      400: 'Bad request - Invalid parameters',
      401: 'Unauthorized - Invalid or missing API key',
      404: 'Not found - Task does not exist',
      429: 'Too many requests - Rate limit exceeded',
      500: 'Internal server error',
    });
    const config = await call('GET', '/config');
    expect(config.body).toMatchObject({ config: { supportEmail: 'help@example.com' } });
  });

  it('names bodies and live messages, so that what is generated of it has names, and says what is not JSON', async () => {
    const { call } = await createTestApp();
    const { body } = await call('GET', '/openapi.json');
    const { paths, components } = body as unknown as {
      paths: Record<string, Record<string, object>>;
      components: { schemas: Record<string, object> };
    };
    const named = (name: string) => ({ $ref: `#/components/schemas/${name}` });
    expect(paths).toMatchObject({
      '/api/v1/tasks': {
        post: { requestBody: { content: { 'application/json': { schema: named('CreateTask') } } } },
      },
      '/api/v1/live': { get: { 'x-websocket-messages': named('LiveMessage') } },
      '/metrics': {
        get: { responses: { 200: { content: { 'text/plain': { schema: { type: 'string' } } } } } },
      },
    });
    expect(components.schemas).toMatchObject({
      CreateTask: { required: ['content'] },
      LiveMessage: { anyOf: ['LiveHello', 'LiveTaskEvent', 'LiveReset'].map(named) },
    });
    const names = JSON.stringify(body).matchAll(/"#\/components\/schemas\/([^"]+)"/g);
    const missing = [...names].filter(([, name = '']) => !(name in components.schemas));
    expect(missing).toEqual([]);
  });

  it('names who may make each call: the scopes of a key, a session, an administrator', async () => {
    const { call } = await createTestApp();
    const { body } = await call('GET', '/openapi.json');
    const { paths } = body as unknown as {
      paths: Record<string, Record<string, { security: Record<string, string[]>[] }>>;
    };
    const session = { accessToken: [] };
    const key = (...scopes: string[]) => ({ apiKey: scopes });
    expect({
      list: paths['/api/v1/tasks']?.get?.security,
      create: paths['/api/v1/tasks']?.post?.security,
      acknowledge: paths['/api/v1/tasks/{id}']?.delete?.security,
      deliveries: paths['/api/v1/intakes/{id}/deliveries']?.get?.security,
      profile: paths['/api/v1/auth/profile']?.get?.security,
      keys: paths['/api/v1/auth/api-keys']?.get?.security,
      users: paths['/api/v1/admin/users']?.get?.security,
      metrics: paths['/metrics']?.get?.security,
      health: paths['/health']?.get?.security ?? [],
    }).toEqual({
      list: [key('read'), session, {}],
      create: [key('ingest'), key('write'), session],
      acknowledge: [key('write'), session],
      deliveries: [key('read', 'write'), session],
      profile: [key(), session],
      keys: [session],
      users: [{ accessToken: ['administrator'] }],
      metrics: [{ metricsToken: [] }],
      health: [],
    });
  });
});
