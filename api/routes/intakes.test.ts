// Intakes, whatever their adapter: made, shown, edited, given a new address, revoked; deliveries taken in
// once, recorded, tried and replayed. The adapter is the smallest one that there can be
// (test/helpers/letterbox.ts).
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { buildFixture, type CallResult, type Fixture } from '#test/helpers/app.ts';
import { waitFor } from '#test/program/wait.ts';

const LETTERBOX = fileURLToPath(new URL('../../test/helpers/letterbox.ts', import.meta.url));

interface Shown {
  id: string;
  address: string;
  [field: string]: unknown;
}

let app: Fixture;
let owners = 0;
beforeAll(async () => {
  app = await buildFixture({ QINBOX_ADAPTERS: LETTERBOX, PUBLIC_URL: 'https://q.example.com' });
});
afterAll(() => app.close());

/** A new owner with a session, and what they do. */
async function owner() {
  const email = `owner${++owners}@example.com`;
  const { accessToken: token } = await app.session(email);
  const key = await app.key(email);
  const call = (method: 'GET' | 'POST' | 'PATCH' | 'DELETE', path: string, body?: unknown) =>
    app.call(method, path, { token, ...(body === undefined ? {} : { body }) });
  return {
    email,
    token,
    key,
    call,
    async make(fields: object = {}): Promise<Shown> {
      const made = await call('POST', '/intakes', {
        name: 'post',
        adapter: 'letterbox',
        verification: { scheme: 'none' },
        ...fields,
      });
      expect(made.status).toBe(201);
      return made.body['intake'] as Shown;
    },
    async tasks() {
      const { body } = await app.call('GET', '/tasks', { key });
      return body['tasks'] as { id: string; content: string; occurrences: number; pinned: boolean }[];
    },
    async deliveries(id: string, count: number) {
      return waitFor(`${count} deliveries`, async () => {
        const { body } = await call('GET', `/intakes/${id}/deliveries`);
        const found = body['deliveries'] as {
          id: string;
          verdict: string;
          reason: string;
          taskIds: string[];
        }[];
        return found.length >= count ? found : null;
      });
    },
  };
}

async function post(
  to: Shown | string,
  text: string,
  headers: Record<string, string> = {},
): Promise<CallResult> {
  const path = new URL(typeof to === 'string' ? to : to.address).pathname;
  const response = await app.app.inject({
    method: 'POST',
    url: path,
    payload: text,
    headers: { 'content-type': 'text/plain', ...headers },
  });
  return {
    status: response.statusCode,
    headers: response.headers,
    text: response.body,
    body: response.headers['content-type']?.toString().includes('json') === true ? response.json() : {},
  };
}

describe('an intake', () => {
  it('is made with the defaults of its adapter, shown with its whole address, and listed to its owner alone', async () => {
    const me = await owner();
    const made = await me.make({ defaults: { tags: [' post ', ''], priority: 'low' } });
    expect(made).toMatchObject({
      name: 'post',
      adapter: 'letterbox',
      addressKind: 'url',
      preset: 'plain',
      verification: { scheme: 'none', options: {}, secrets: [] },
      mapping: null,
      settings: {},
      defaults: { tags: ['post'], priority: 'low' },
      events: [],
      reopens: true,
      hourlyCap: null,
      paused: false,
      previousAddressUntil: null,
      last_used_at: null,
    });
    expect(made.address).toMatch(/^https:\/\/q\.example\.com\/letters\/[a-z2-7]{26}$/);
    expect((await me.call('GET', '/intakes')).body['intakes']).toEqual([made]);
    expect((await app.call('GET', '/intakes', { key: me.key })).body['intakes']).toEqual([made]);
    const other = await owner();
    expect((await other.call('GET', '/intakes')).body['intakes']).toEqual([]);
    expect((await other.call('GET', `/intakes/${made.id}`)).status).toBe(404);
  });

  it('keeps its secret sealed: no answer, log line or stored byte has it, and it still proves its sender', async () => {
    const me = await owner();
    const secret = 'canary-of-the-letterbox';
    const made = await me.make({ preset: 'safe', verification: { scheme: 'word', secret } });
    expect(made['verification']).toEqual({
      scheme: 'word',
      options: { header: 'x-safe' },
      secrets: ['secret'],
    });
    const edited = await me.call('PATCH', `/intakes/${made.id}`, {
      verification: { scheme: 'word', header: 'x-other' },
    });
    expect((await post(made, 'a letter', { 'x-other': secret })).status).toBe(202);
    expect((await post(made, 'a letter', { 'x-other': 'wrong' })).status).toBe(401);
    const record = await app.parts.storage.intakes.list((await app.user(me.email)).id);
    for (const text of [JSON.stringify(made), edited.text, app.logged(), JSON.stringify(record)])
      expect(text).not.toContain(secret);
  });

  it.each([
    [{ adapter: 'pigeon' }, 'adapter'],
    [{ name: ' ' }, 'name'],
    [{ preset: 'none' }, 'preset'],
    [{ verification: { scheme: 'oath' } }, 'verification/scheme'],
    [{ preset: 'safe' }, 'verification/secret'],
    [{ verification: { scheme: 'word', secret: 'abc' } }, 'verification/secret'],
    [{ verification: { scheme: 'none', secret: 'abcd' } }, 'verification/secret'],
    [{ mapping: { content: '{% if %}' } }, 'mapping/content'],
    [{ mapping: { content: 'x', script: 'y' } }, 'mapping'],
    [{ settings: { size: 3 } }, 'settings/size'],
    [{ hourlyCap: 0 }, 'hourlyCap'],
    [{ defaults: { expiryMinutes: 0 } }, 'defaults/expiryMinutes'],
  ])('is refused with %j, by the name of the field', async (fields, field) => {
    const me = await owner();
    const proof = 'preset' in fields ? {} : { verification: { scheme: 'none' } };
    const refused = await me.call('POST', '/intakes', {
      name: 'post',
      adapter: 'letterbox',
      ...proof,
      ...fields,
    });
    expect(refused.status).toBe(400);
    expect(refused.body['details']).toContainEqual(expect.objectContaining({ field }));
    expect((await me.call('GET', '/intakes')).body['intakes']).toEqual([]);
  });

  it('with a new address takes in at the old one until the grace is over, and not after it was revoked', async () => {
    const me = await owner();
    const made = await me.make();
    const rotated = (await me.call('POST', `/intakes/${made.id}/rotate`, { graceMinutes: 5 })).body[
      'intake'
    ] as Shown;
    expect(rotated.address).not.toBe(made.address);
    expect(rotated['previousAddressUntil']).toBe(new Date(app.clock.now() + 300_000).toISOString());
    expect((await post(made, 'old')).status).toBe(202);
    expect((await post(rotated, 'new')).status).toBe(202);
    expect((await post(rotated.address.toUpperCase().replace('/LETTERS/', '/letters/'), 'loud')).status).toBe(
      202,
    );
    app.clock.advance(300_000);
    expect((await post(made, 'old')).status).toBe(404);
    expect((await me.call('DELETE', `/intakes/${made.id}`)).status).toBe(200);
    expect((await post(rotated, 'new')).status).toBe(404);
    expect((await me.call('DELETE', `/intakes/${made.id}`)).status).toBe(404);
  });
});

describe('a delivery', () => {
  it('for an account that is disabled finds no address', async () => {
    const me = await owner();
    const made = await me.make();
    const { id } = await app.user(me.email);
    await app.parts.storage.accounts.changeUser(id, (user) => ({ ...user, isActive: false }));
    expect((await post(made, 'a letter')).status).toBe(404);
    await app.parts.storage.accounts.changeUser(id, (user) => ({ ...user, isActive: true }));
    expect((await post(made, 'a letter')).status).toBe(202);
  });

  it('becomes tasks with the defaults of its intake, and is on record with them', async () => {
    const me = await owner();
    const made = await me.make({ defaults: { tags: ['post'], expiryMinutes: 60 } });
    const taken = await post(made, 'first\nsecond');
    expect(taken.body).toMatchObject({ kind: 'accepted' });
    const tasks = await me.tasks();
    expect(tasks.map(({ content }) => content)).toEqual(['second', 'first']);
    const [delivery] = await me.deliveries(made.id, 1);
    expect(tasks[0]).toMatchObject({
      source: 'letter',
      tags: ['post'],
      metadata: { intake: { id: made.id, name: 'post' } },
      intake: { id: made.id, name: 'post', deliveryId: delivery?.id },
    });
    expect(delivery).toMatchObject({ verdict: 'accepted', canReplay: true });
    expect(delivery?.taskIds.toSorted()).toEqual(tasks.map(({ id }) => id).toSorted());
    const listed = await me.call('GET', '/tasks?intake=POST&order=intake');
    expect(listed.body['pagination']).toMatchObject({ total: 2 });
    expect((await me.call('GET', '/tasks/facets')).body['facets']).toMatchObject({
      intakes: [{ id: made.id, name: 'post', count: 2 }],
    });
    const shown = await me.call('GET', `/intakes/${made.id}/deliveries/${delivery?.id ?? ''}`);
    expect(shown.body['request']).toMatchObject({ body: 'first\nsecond', encoding: 'text', clipped: false });
    await waitFor('its last use', async () => {
      const { body } = await me.call('GET', `/intakes/${made.id}`);
      return (body['intake'] as Shown)['last_used_at'] === new Date(app.clock.now()).toISOString();
    });
  });

  it('that comes again with the same id makes nothing, and says so', async () => {
    const me = await owner();
    const made = await me.make();
    await post(made, 'once', { 'x-letter-id': '7' });
    const again = await post(made, 'once', { 'x-letter-id': '7' });
    expect(again.body).toMatchObject({ kind: 'duplicate' });
    expect(await me.tasks()).toHaveLength(1);
    expect((await me.deliveries(made.id, 2)).map(({ verdict }) => verdict)).toEqual([
      'duplicate',
      'accepted',
    ]);
  });

  it('repeats a task under its key, closes it when it is over, and keys of two intakes are not the same', async () => {
    const me = await owner();
    const [one, two] = [await me.make(), await me.make()];
    for (const text of ['disk: full', 'disk: still full', 'other: fine']) await post(one, text);
    await post(two, 'disk: another');
    const [, , disk] = await me.tasks();
    expect(disk).toMatchObject({ content: 'disk: full', occurrences: 2 });
    await app.call('PATCH', `/tasks/${disk?.id ?? ''}/pin`, { key: me.key, body: { pinned: true } });
    await post(one, 'over disk');
    expect((await me.tasks()).map(({ content }) => content)).toEqual(['disk: another', 'other: fine']);
  });

  it('stays silent after an acknowledgement when its intake does not reopen, and comes back when it does', async () => {
    const me = await owner();
    const [quiet, loud] = [await me.make({ reopens: false }), await me.make()];
    for (const to of [quiet, loud]) {
      await post(to, 'disk: full');
      const [task] = await me.tasks();
      await app.call('DELETE', `/tasks/${task?.id ?? ''}`, { key: me.key });
      await post(to, 'disk: full again');
    }
    expect((await me.tasks()).map(({ content }) => content)).toEqual(['disk: full again']);
  });

  it('is ignored when its event is not wanted or there is nothing in it', async () => {
    const me = await owner();
    const made = await me.make({ events: ['push'] });
    expect((await post(made, 'event pull\nx')).body).toMatchObject({ kind: 'ignored' });
    expect((await post(made, 'nothing')).body).toMatchObject({
      kind: 'ignored',
      reason: 'There was nothing in the letter.',
    });
    expect((await post(made, 'event push.forced\ny')).body).toMatchObject({ kind: 'accepted' });
    expect((await me.tasks()).map(({ content }) => content)).toEqual(['y']);
  });

  it('is refused with 503 and Retry-After while the intake is paused or its hourly cap is full', async () => {
    const me = await owner();
    const made = await me.make({ hourlyCap: 2 });
    expect([(await post(made, 'a')).status, (await post(made, 'b')).status]).toEqual([202, 202]);
    const full = await post(made, 'c');
    expect(full).toMatchObject({ status: 503, headers: { 'retry-after': '3600' } });
    await me.call('PATCH', `/intakes/${made.id}`, { paused: true, hourlyCap: null });
    const paused = await post(made, 'd');
    expect(paused).toMatchObject({ status: 503, headers: { 'retry-after': '300' } });
    await me.call('PATCH', `/intakes/${made.id}`, { paused: false });
    expect((await post(made, 'e')).status).toBe(202);
    expect((await me.tasks()).map(({ content }) => content)).toEqual(['e', 'b', 'a']);
    const refused = (await me.deliveries(made.id, 5)).filter(({ verdict }) => verdict === 'refused');
    expect(refused.map(({ reason }) => reason)).toEqual([
      'The intake is paused.',
      'Too many deliveries: the limit is 2 in 60 minutes.',
    ]);
  });
});

describe('trying an intake out', () => {
  it('previews a payload, the last delivery or a sample with a mapping of now, and stores nothing', async () => {
    const me = await owner();
    const made = await me.make();
    const preview = async (body: object) =>
      (await me.call('POST', `/intakes/${made.id}/preview`, body)).body['preview'] as Record<string, unknown>;
    expect(await preview({})).toMatchObject({ source: 'sample', tasks: [{ content: 'Sample: a letter' }] });
    expect(await preview({ payload: 'dear', contentType: 'text/plain' })).toMatchObject({
      source: 'given',
      tasks: [{ content: 'dear' }],
    });
    await post(made, 'hello');
    await me.deliveries(made.id, 1);
    expect(await preview({ mapping: { content: 'Read: {{ line }}' } })).toMatchObject({
      source: 'delivery',
      tasks: [{ content: 'Read: hello', priority: 'normal' }],
    });
    expect(await me.tasks()).toHaveLength(1);
    const refused = await me.call('POST', `/intakes/${made.id}/preview`, { mapping: { content: '{% x %}' } });
    expect(refused.status).toBe(400);
    const unknown = await me.call('POST', `/intakes/${made.id}/preview`, { deliveryId: 'dlv_none' });
    expect([unknown.status, unknown.body['details']]).toEqual([
      400,
      [{ field: 'deliveryId', message: expect.stringContaining('must be a delivery to this intake') }],
    ]);
  });

  it('delivers a sample as a real task', async () => {
    const me = await owner();
    const made = await me.make({ events: ['push'] });
    const tested = await me.call('POST', `/intakes/${made.id}/test`);
    expect(tested).toMatchObject({ status: 201, body: { delivery: { verdict: 'accepted' } } });
    expect((await me.tasks()).map(({ content }) => content)).toEqual(['Sample: a letter']);
  });

  it('keeps what could not be read as a summary, and replays it once the mapping is mended', async () => {
    const me = await owner();
    const made = await me.make();
    expect((await post(made, 'fail')).status).toBe(202);
    const [failed] = await me.deliveries(made.id, 1);
    expect(failed).toMatchObject({ verdict: 'failed', reason: 'The letter cannot be read.' });
    await me.call('PATCH', `/intakes/${made.id}`, { mapping: { content: 'Mended: {{ line }}' } });
    const path = `/intakes/${made.id}/deliveries/${failed?.id ?? ''}/replay`;
    expect((await me.call('POST', path)).body).toMatchObject({ delivery: { verdict: 'accepted' } });
    expect((await me.call('POST', path)).body).toMatchObject({ delivery: { verdict: 'duplicate' } });
    expect((await me.tasks()).map(({ content }) => content)).toEqual(['Mended: fail', 'fail']);
    const other = await owner();
    expect((await other.call('POST', path)).status).toBe(404);
  });
});
