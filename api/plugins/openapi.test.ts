// The API's own description is sound and whole.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createTestApp } from '#test/helpers/app.ts';

interface Document {
  openapi: string;
  paths: Record<string, Record<string, { operationId: string }>>;
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

  it('tells of every route that is served, and of none that is not', async () => {
    const servedRoutes: string[] = [];
    const { app, call } = await createTestApp({}, (route) => {
      const { method, url, config } = route;
      if (config?.access !== undefined && method !== 'HEAD')
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
});
