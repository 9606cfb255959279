// Clients of Gotify that show a queue: how they sign in, pages, applications, the stream, and what
// deleting does.
import { describe, expect, it } from 'vitest';
import { basic, listening, socket } from '#test/helpers/subscribers.ts';

describe('the client side of Gotify', () => {
  it('signs in with a key as password, and shows messages by pages and by application', async () => {
    const { app, key, json, add } = await listening();
    expect(await json('/current/user', basic(key))).toEqual({ id: 1, name: 'Qinbox', admin: false });
    expect(await json('/client', basic(key), 'POST')).toMatchObject({ id: 1, token: key });
    const { accessToken: token } = await app.session('me@example.com');
    const body = { name: 'NAS', adapter: 'webhook', verification: { scheme: 'none' } };
    const made = await app.call('POST', '/intakes', { token, body });
    const { address } = made.body['intake'] as { address: string };
    await app.app.inject({
      method: 'POST',
      url: `/message?token=${address.split('/').at(-1)}`,
      payload: { title: 'Backup', message: 'failed', priority: 9 },
    });
    for (let each = 0; each < 7; each++) {
      app.clock.advance(1);
      await add(`own ${each}`, { priority: each === 6 ? 'low' : 'normal' });
    }
    const headers = { 'x-gotify-key': key, authorization: '' };
    const applications = (await json('/application', headers)) as unknown as { id: number; name: string }[];
    expect(applications.map(({ name }) => name)).toEqual(['Qinbox', 'NAS']);
    const nas = applications[1]?.id ?? 0;
    const first = (await json('/message?limit=3', headers)) as unknown as Page;
    expect(first.messages).toMatchObject([
      { message: 'own 6', title: 'Qinbox', priority: 2, appid: 1 },
      { message: 'own 5', priority: 5 },
      { message: 'own 4' },
    ]);
    expect(first.paging).toEqual({
      size: 3,
      limit: 3,
      since: first.messages[2]?.id,
      next: `/message?limit=3&since=${first.messages[2]?.id}`,
    });
    const all: Message[] = [];
    for (let next: string | undefined = '/message?limit=3'; next !== undefined;) {
      const page: Page = (await json(next, headers)) as unknown as Page;
      all.push(...page.messages);
      next = page.paging.next;
    }
    expect(all.map(({ message }) => message)).toEqual([
      ...[6, 5, 4, 3, 2, 1, 0].map((each) => `own ${each}`),
      'failed',
    ]);
    expect(all.map(({ id }) => id)).toEqual(all.map(({ id }) => id).toSorted((a, b) => b - a));
    expect(all.every(({ id }) => Number.isSafeInteger(id))).toBe(true);
    const own = (await json(`/gotify/application/${nas}/message`, headers)) as unknown as Page;
    expect(own.messages).toMatchObject([{ appid: nas, title: 'Backup', message: 'failed', priority: 8 }]);
    expect(app.logged()).not.toContain(key);
  });

  interface Message {
    id: number;
    message: string;
  }
  interface Page {
    messages: Message[];
    paging: { next?: string };
  }

  it('streams new messages', async () => {
    const { url, key, json, add } = await listening();
    const stream = await socket(`${url}/stream?token=${key}`);
    await add('Look\nhere', { metadata: { url: 'https://a.example/' } });
    const message = await stream.next();
    expect(message).toMatchObject({
      title: 'Look',
      message: 'here',
      date: '2026-11-21T09:00:00.000Z',
      extras: { 'client::notification': { click: { url: 'https://a.example/' } } },
    });
    const { messages } = await json('/message');
    expect(messages).toEqual([message]);
    await expect(socket(`${url}/stream`)).rejects.toThrow('401');
    await expect(socket(`${url}/gotify/stream?token=x`)).rejects.toThrow('401');
  });

  it('acknowledges what is deleted, one or all or those of an application, with a key that may', async () => {
    const { app, key, json, get, add, live } = await listening();
    await add('kept');
    await add('gone');
    const { messages } = (await json('/message')) as unknown as { messages: { id: number }[] };
    const [gone] = messages;
    const reader = { 'x-gotify-key': await app.key('me@example.com', ['read']) };
    expect(await json(`/message/${gone?.id}`, reader as never, 'DELETE')).toMatchObject({ errorCode: 403 });
    const deleting = { 'x-gotify-key': key };
    expect((await get(`/message/${gone?.id}`, deleting, 'DELETE')).status).toBe(200);
    expect(await live()).toEqual(['kept']);
    for (const id of [gone?.id, 1, 'x', -1, 2 ** 53])
      expect(await json(`/message/${id}`, deleting as never, 'DELETE')).toMatchObject({
        error: 'Not Found',
        errorCode: 404,
      });
    // Undone as any acknowledgement.
    const recent = await app.call('GET', '/tasks/acknowledged', { key });
    expect(recent.body['tasks']).toMatchObject([{ task: { content: 'gone' } }]);

    expect((await get('/application/2/message', deleting, 'DELETE')).status).toBe(200);
    expect(await live()).toEqual(['kept']);
    const others = await app.key('other@example.com');
    expect((await get('/message', { 'x-gotify-key': others }, 'DELETE')).status).toBe(200);
    expect(await live()).toEqual(['kept']);
    expect((await get('/message', deleting, 'DELETE')).status).toBe(200);
    expect(await live()).toEqual([]);
  });

  it('refuses in Gotify’s words', async () => {
    const { json, bearer } = await listening();
    expect(await json('/message', { authorization: '' })).toMatchObject({
      error: 'Unauthorized',
      errorCode: 401,
    });
    for (const query of ['limit=x', 'limit=201', 'since=-1', 'since=1.5'])
      expect(await json(`/message?${query}`, bearer)).toMatchObject({
        error: 'Bad Request',
        errorCode: 400,
        errorDescription: expect.stringContaining('must be a whole number') as string,
      });
  });
});
