// What a browser is served: the app at its addresses, 404 elsewhere, and headers that keep it from being
// misused.
import { join } from 'node:path';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { fastify } from 'fastify';
import { expect, it, onTestFinished } from 'vitest';
import { createTestApp } from '#test/helpers/app.ts';
import { root } from '#test/program/program.ts';
import { sharedPage } from './link-preview-page.ts';

const html = { accept: 'text/html,application/xhtml+xml' };

it('every screen has the page, an unknown address has it with 404, and the API answers JSON', async () => {
  const { app } = await createTestApp();
  for (const url of ['/', '/inbox', '/admin', '/admin/intakes/in_1', '/api-docs']) {
    const { statusCode, headers } = await app.inject({ url, headers: html });
    expect([url, statusCode, headers['content-type']]).toEqual([url, 200, 'text/html; charset=utf-8']);
  }
  const lost = await app.inject({ url: '/nowhere', headers: html });
  expect([lost.statusCode, lost.headers['content-type']]).toEqual([404, 'text/html; charset=utf-8']);
  for (const url of ['/api/v1/nowhere', '/nowhere.json']) {
    const { statusCode, body } = await app.inject({ url, headers: url.startsWith('/api') ? html : {} });
    expect([statusCode, (JSON.parse(body) as { code: string }).code]).toEqual([404, 'NOT_FOUND']);
  }
});

it('an address that means a screen leads to it, with its query: another name of it, a slash at its end', async () => {
  const { app } = await createTestApp();
  for (const [url, screen] of [
    ['/settings', '/admin'],
    ['/settings/keyboard?from=mail', '/admin/keyboard?from=mail'],
    ['/settings/intakes/in_1/', '/admin/intakes/in_1'],
    ['/inbox/?q=a%20b&sort=due', '/inbox?q=a%20b&sort=due'],
  ] as const) {
    const { statusCode, headers } = await app.inject({ url, headers: html });
    expect([url, statusCode, headers.location]).toEqual([url, 302, screen]);
  }
  for (const url of ['/settings/nowhere', '/settingsx', '//example.com/inbox/', '/settings//example.com'])
    expect([url, (await app.inject({ url, headers: html })).statusCode]).toEqual([url, 404]);
  const program = await app.inject({ url: '/settings' });
  expect(program.statusCode).toBe(404);
});

it('pages allow no inline script or style, no frames, and nothing of other hosts', async () => {
  const { app } = await createTestApp();
  const { headers } = await app.inject({ url: '/inbox', headers: html });
  const policy = String(headers['content-security-policy']);
  expect(policy).toContain("default-src 'self'");
  expect(policy).toContain("script-src 'self';");
  expect(policy).toContain("frame-ancestors 'none'");
  expect(policy).not.toMatch(/unsafe-|google/);
  expect(headers['x-content-type-options']).toBe('nosniff');
  expect(headers['strict-transport-security']).toBeUndefined();
});

it('Google may be called only where its sign-in is on, and a public https address is kept', async () => {
  const { app } = await createTestApp({ GOOGLE_CLIENT_ID: 'x', PUBLIC_URL: 'https://q.example.com' });
  const { headers } = await app.inject({ url: '/inbox', headers: html });
  expect(headers['content-security-policy']).toContain('https://accounts.google.com/gsi/client');
  expect(headers['content-security-policy']).toContain('wss://q.example.com');
  expect(headers['strict-transport-security']).toContain('max-age=');
});

it('a path outside the app is never served', async () => {
  const { app } = await createTestApp();
  for (const url of [
    '/../package.json',
    '/..%2fpackage.json',
    '/assets/../../package.json',
    '/.env',
    '/index.html.br',
  ])
    expect((await app.inject({ url })).statusCode).toBeGreaterThanOrEqual(400);
});

it('files and pages of the documentation have their own addresses alone, for GET and HEAD', async () => {
  const { app } = await createTestApp();
  for (const url of ['/theme.js', '/icons/og.png', '/docs', '/docs/errors', '/docs/adapters/smtp']) {
    for (const method of ['GET', 'HEAD'] as const)
      expect([url, (await app.inject({ url, method })).statusCode]).toEqual([url, 200]);
    const posted = await app.inject({ url, method: 'POST', payload: { a: 1 } });
    expect([url, posted.statusCode, posted.headers.allow]).toEqual([url, 405, 'GET, HEAD']);
  }
  const moved = await app.inject({ url: '/docs/errors/' });
  expect([moved.statusCode, moved.headers.location]).toEqual([301, '/docs/errors']);
  for (const url of ['/docs/errors.html', '/docs.html', '/docs/errors.html.br', '/icons', '/icons/no.png'])
    for (const method of ['GET', 'POST'] as const)
      expect([url, (await app.inject({ url, method })).statusCode]).toEqual([url, 404]);
});

it('what is sent compressed is what was built, to the byte', async () => {
  const { app } = await createTestApp();
  const page = await app.inject({ url: '/inbox', headers: { ...html, 'accept-encoding': 'identity' } });
  const files = [...page.body.matchAll(/(?:src|href)="(\/assets\/[^"]+)"/g)].map(
    (match) => match[1] as string,
  );
  const decoders = { br: brotliDecompressSync, gzip: gunzipSync };
  for (const url of ['/inbox', ...files]) {
    const plain = await app.inject({ url, headers: { ...html, 'accept-encoding': 'identity' } });
    expect([url, plain.statusCode]).toEqual([url, 200]);
    for (const [encoding, decode] of Object.entries(decoders)) {
      const sent = await app.inject({ url, headers: { ...html, 'accept-encoding': encoding } });
      if (sent.headers['content-encoding'] === undefined) continue;
      expect(sent.headers['content-encoding']).toBe(encoding);
      expect(decode(sent.rawPayload).equals(plain.rawPayload), `${url} as ${encoding}`).toBe(true);
    }
  }
});

it('other sites find the picture of a shared link at the public address; the page comes compressed, and once', async () => {
  const app = fastify();
  onTestFinished(() => app.close());
  const send = sharedPage(join(root, 'web', 'index.html'), 'https://q.example.com');
  app.get('/inbox', send);
  app.setNotFoundHandler((request, reply) => send(request, reply.code(404)));
  const ask = (encoding: string, more: { url?: string; etag?: string } = {}) =>
    app.inject({
      url: more.url ?? '/inbox',
      headers: { 'accept-encoding': encoding, 'if-none-match': more.etag ?? '' },
    });
  const plain = await ask('identity');
  expect(plain.body).toContain('property="og:image" content="https://q.example.com/icons/og.png"');
  for (const [header, encoding, decode] of [
    ['gzip, deflate, br', 'br', brotliDecompressSync],
    ['br;q=0, gzip;q=0.5', 'gzip', gunzipSync],
  ] as const) {
    const sent = await ask(header);
    expect(sent.headers).toMatchObject({
      'content-encoding': encoding,
      'cache-control': 'no-cache',
      vary: 'accept-encoding',
      'content-type': 'text/html; charset=utf-8',
    });
    expect(decode(sent.rawPayload).equals(plain.rawPayload)).toBe(true);
  }
  const etag = String(plain.headers.etag);
  expect([(await ask('br', { etag })).statusCode, (await ask('br', { etag, url: '/x' })).statusCode]).toEqual(
    [304, 404],
  );
});
