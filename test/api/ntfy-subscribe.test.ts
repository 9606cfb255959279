// Clients of ntfy that show a queue: who may read, in which words they are answered, and what topics and
// filters show. Nothing is lost over a cut connection: feed.test.ts, test/clients.
import { describe, expect, it } from 'vitest';
import { MORNING } from '#test/helpers/app.ts';
import { basic, lines, listening, socket, type Json } from '#test/helpers/subscribers.ts';

describe('subscribing as ntfy', () => {
  it('shows the queue to an API key, however it is given, and to nobody else', async () => {
    const { app, url, key, get, add } = await listening();
    await add('Disk full\non db-3', {
      priority: 'high',
      tags: ['ops'],
      metadata: { url: 'https://a.example/' },
    });
    const message = {
      time: MORNING / 1000,
      expires: MORNING / 1000 + 86_400,
      event: 'message',
      topic: 'inbox',
      title: 'Disk full',
      message: 'on db-3',
      priority: 4,
      tags: ['ops'],
      click: 'https://a.example/',
    };
    const auth = Buffer.from(`Bearer ${key}`).toString('base64url');
    for (const [path, headers] of [
      ['/inbox/json?poll=1', { authorization: `Bearer ${key}` }],
      ['/inbox/json?poll=1', basic(key)],
      [`/inbox/json?poll=1&auth=${auth}`, {}],
    ] as const) {
      const answer = await get(path, headers);
      expect(answer.headers.get('content-type')).toBe('application/x-ndjson; charset=utf-8');
      expect(answer.headers.get('access-control-allow-origin')).toBe('*');
      expect(JSON.parse(answer.text)).toEqual({
        id: expect.stringMatching(/^\w{22}$/) as string,
        ...message,
      });
    }
    const ingest = await app.key('me@example.com', ['ingest']);
    const { accessToken } = await app.session('me@example.com');
    const refusals = [
      [{}, 403, 40301],
      [{ authorization: 'Bearer qi_unknown' }, 401, 40101],
      [{ authorization: 'Bearer ' }, 401, 40101],
      [{ authorization: `Bearer ${accessToken}` }, 401, 40101],
      [{ authorization: `Bearer ${ingest}` }, 403, 40301],
    ] as const;
    for (const path of ['/inbox/json?poll=1', '/inbox/sse', '/inbox/raw', '/other/auth'])
      for (const [headers, status, code] of refusals) {
        const answer = await get(path, headers);
        expect({ path, status: answer.status, ...(JSON.parse(answer.text) as Json) }).toMatchObject({
          path,
          status,
          http: status,
          code,
        });
      }
    await expect(socket(`${url}/inbox/ws`)).rejects.toThrow('403');
    await expect(socket(`${url}/inbox/ws?auth=${auth}x`)).rejects.toThrow('401');
    expect(app.logged()).not.toContain(key);
    expect(app.logged()).not.toContain(auth);
  });

  it('shows what a topic stands for: all, a tag, the name of an intake, its token; nobody else’s', async () => {
    const { app, bearer, poll, add, get } = await listening();
    await add('by tag', { tags: ['Ops', 'night shift'] });
    const { accessToken: token } = await app.session('me@example.com');
    const body = { name: 'Backups of NAS', adapter: 'webhook', verification: { scheme: 'none' } };
    const made = await app.call('POST', '/intakes', { token, body });
    const { address } = made.body['intake'] as { address: string };
    const topic = address.split('/').at(-1) as string;
    await app.app.inject({ method: 'POST', url: `/${topic}`, payload: 'by intake' });
    const contents = async (path: string, headers = bearer) =>
      (await poll(`/${path}/json?poll=1`, headers)).map((each) => [each['topic'], each['message']]);
    expect(await contents('inbox')).toEqual([
      ['inbox', 'by tag'],
      ['inbox', 'by intake'],
    ]);
    expect(await contents('ops,night-shift')).toEqual([
      ['ops', 'by tag'],
      ['night-shift', 'by tag'],
    ]);
    expect(await contents('backups-of-nas')).toEqual([['backups-of-nas', 'by intake']]);
    expect(await contents(topic)).toEqual([[topic, 'by intake']]);
    expect(await contents('unknown')).toEqual([]);
    const other = { authorization: `Bearer ${await app.key('other@example.com')}` };
    for (const path of ['inbox', 'ops', 'backups-of-nas', topic])
      expect(await contents(path, other)).toEqual([]);
    // The token is for those who send: by itself it shows nothing.
    expect((await get(`/${topic}/json?poll=1`, {})).status).toBe(403);
    expect((await get(`/${topic}/json?poll=1`, { authorization: `Bearer ${topic}` })).status).toBe(401);
  });

  it('filters, and begins where it is told to', async () => {
    const { app, poll, add, get, bearer } = await listening();
    await add('one', { priority: 'low', tags: ['a'] });
    app.clock.advance(60_000);
    await add('two', { tags: ['a', 'b'] });
    app.clock.advance(60_000);
    await add('three\nlines', { priority: 'high' });
    const found = async (query: string, headers = {}) =>
      (await poll(`/inbox/json?poll=1&${query}`, { ...bearer, ...headers })).map((each) => each['message']);
    expect(await found('')).toEqual(['one', 'two', 'lines']);
    expect(await found('priority=high,low')).toEqual(['one', 'lines']);
    expect(await found('p=2,default')).toEqual(['one', 'two']);
    expect(await found('', { 'x-priority': '4' })).toEqual(['lines']);
    expect(await found('tags=a,b')).toEqual(['two']);
    expect(await found('message=one')).toEqual(['one']);
    expect(await found('title=three')).toEqual(['lines']);
    expect(await found('since=latest')).toEqual(['lines']);
    expect(await found('since=none')).toEqual([]);
    expect(await found('since=1m')).toEqual(['two', 'lines']);
    expect(await found('since=1m30s')).toEqual(['two', 'lines']);
    expect(await found('since=0.5m')).toEqual(['lines']);
    expect(await found(`since=${MORNING / 1000 + 60}`)).toEqual(['two', 'lines']);
    const [, second] = await poll('/inbox/json?poll=1');
    expect(await found(`since=${second?.['id'] as string}`)).toEqual(['lines']);
    expect(await found(`id=${second?.['id'] as string}`)).toEqual(['two']);
    for (const [query, code, error] of [
      ['since=yesterday', 40008, 'invalid since parameter'],
      ['priority=loud', 40007, 'invalid priority parameter'],
    ] as const) {
      const answer = await get(`/inbox/json?poll=1&${query}`);
      expect(JSON.parse(answer.text)).toEqual({ code, http: 400, error });
    }
  });

  it('streams what comes and what leaves, in each of the ways, until the server stops', async () => {
    const { app, url, key, bearer, add } = await listening();
    const ways = {
      json: await lines(`${url}/inbox/json`, bearer),
      sse: await lines(`${url}/inbox/sse`, bearer),
      raw: await lines(`${url}/inbox/raw`, bearer),
    };
    const ws = await socket(`${url}/inbox/ws`, bearer);
    expect(JSON.parse((await ways.json.next()) as string)).toMatchObject({ event: 'open', topic: 'inbox' });
    expect(await ways.sse.next()).toBe('event: open');
    expect(await ways.sse.next()).toMatch(/^data: .*"open"/);
    expect(await ways.sse.next()).toBe('');
    expect(await ways.raw.next()).toBe('');
    expect(await ws.next()).toMatchObject({ event: 'open' });
    const id = await add('It\nhas two\nlines', { dedupeKey: 'k' });
    app.clock.advance(1000);
    await app.call('POST', '/tasks', { key, body: { content: 'again', dedupeKey: 'k' } });
    await app.call('DELETE', `/tasks/${id}`, { key });
    const sequence_id = id.slice(5);
    const told = [
      { event: 'message', id: sequence_id, title: 'It', message: 'has two\nlines' },
      { event: 'message', sequence_id, message: 'has two\nlines\n(reported 2 times)' },
      { event: 'message_delete', sequence_id },
    ];
    for (const message of told) {
      const line = JSON.parse((await ways.json.next()) as string) as Json;
      expect(line).toMatchObject(message);
      expect(await ws.next()).toEqual(line);
      if (message.event !== 'message') expect(await ways.sse.next()).toBe('event: message_delete');
      expect(await ways.sse.next()).toBe(`data: ${JSON.stringify(line)}`);
      expect(await ways.sse.next()).toBe('');
    }
    expect(await ways.raw.next()).toBe('has two lines');
    expect(await ways.raw.next()).toBe('has two lines (reported 2 times)');
    expect(await ways.raw.next()).toBe('');
    expect([ways.json.type, ways.sse.type, ways.raw.type]).toEqual([
      'application/x-ndjson; charset=utf-8',
      'text/event-stream; charset=utf-8',
      'text/plain; charset=utf-8',
    ]);
    await app.app.close();
    for (const way of Object.values(ways)) expect(await way.next()).toBeNull();
    expect(await ws.closed).toBe(1012);
  });

  it('ends a stream whose key is revoked, and allows so many of one owner', async () => {
    const { app, url, bearer, get } = await listening({ MAX_SOCKETS_PER_OWNER: '2' });
    const revoked = await app.parts.apiKeys.create((await app.user()).id, { name: 'x' });
    const stream = await lines(`${url}/inbox/json`, { authorization: `Bearer ${revoked.key}` });
    await stream.next();
    await lines(`${url}/inbox/json`, bearer);
    const full = await get('/inbox/json', bearer);
    expect(full.status).toBe(429);
    expect(full.headers.get('retry-after')).toBe('60');
    expect(JSON.parse(full.text)).toMatchObject({ code: 42903, http: 429 });
    await app.parts.apiKeys.revoke((await app.user()).id, revoked.record.id);
    expect(await stream.next()).toBeNull();
    expect((await get('/inbox/json?poll=1', bearer)).status).toBe(200);
  });

  it('answers preflights and /auth, and counts requests like the API', async () => {
    const { get, bearer } = await listening({ RATE_LIMIT_PER_MINUTE: '3' });
    const preflight = await get('/inbox/json', {}, 'OPTIONS');
    expect(preflight.status).toBe(204);
    expect(preflight.headers.get('access-control-allow-headers')).toContain('authorization');
    for (let time = 0; time < 3; time++)
      expect(await get('/inbox/auth', bearer)).toMatchObject({ status: 200, text: '{"success":true}' });
    const limited = await get('/inbox/auth', bearer);
    expect(limited.status).toBe(429);
    expect(Number(limited.headers.get('retry-after'))).toBeGreaterThan(0);
  });
});

it('is switched off with the protocol', async () => {
  const { url, get, bearer } = await listening({ QINBOX_PROTOCOLS: 'slack' });
  for (const path of ['/inbox/json?poll=1', '/message', '/current/user']) {
    const { status, text } = await get(path, bearer);
    expect({ path, status, isPage: text.includes('"code":40') }).toEqual({ path, status, isPage: false });
    expect(status).not.toBe(200);
  }
  await expect(socket(`${url}/stream`, bearer)).rejects.toThrow('400');
});
