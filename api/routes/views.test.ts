// Saved views: what a user saves is there on every device, and of nobody else.
import { describe, expect, it } from 'vitest';
import { createAppWithKey } from '#test/helpers/app.ts';

const body = (fields: object = {}) => ({ name: 'Production', key: null, query: 'q=%23ops', ...fields });

async function withViews() {
  const app = await createAppWithKey();
  const { call, key1 } = app;
  const create = async (fields: object = {}, key = key1) =>
    call('POST', '/views', { key, body: body(fields) });
  const save = (id: string, fields: object = {}, key = key1) =>
    call('PUT', `/views/${id}`, { key, body: body(fields) });
  const views = async (key = key1) => (await call('GET', '/views', { key })).body['views'];
  const idOf = async (fields: object = {}) => ((await create(fields)).body['view'] as { id: string }).id;
  return { ...app, create, save, views, idOf };
}

describe('saved views', () => {
  it('are made, listed by name, changed and deleted, each of its own user', async () => {
    const { call, create, save, views, key, key1 } = await withViews();
    const made = await create({ name: ' Production ', key: '4' });
    const { id } = made.body['view'] as { id: string };
    expect([made.status, made.body]).toEqual([
      201,
      { success: true, view: { id: expect.stringMatching(/^view_/), ...body({ key: '4' }) } },
    ]);
    await create({ name: 'almost' });
    expect(await views()).toMatchObject([{ name: 'almost' }, { name: 'Production' }]);

    const changed = await save(id, { name: 'Zebra', key: '9', query: '' });
    const zebra = { id, name: 'Zebra', key: '9', query: '' };
    expect([changed.status, changed.body['view']]).toEqual([200, zebra]);
    expect(await views()).toMatchObject([{ name: 'almost' }, zebra]);

    const other = await key('other@example.com');
    expect(await views(other)).toEqual([]);
    expect((await save(id, {}, other)).status).toBe(404);
    expect((await call('DELETE', `/views/${id}`, { key: other })).status).toBe(404);
    expect((await create({ name: 'Zebra', key: '9' }, other)).status).toBe(201);

    expect((await call('DELETE', `/views/${id}`, { key: key1 })).body).toEqual({ success: true });
    expect((await call('DELETE', `/views/${id}`, { key: key1 })).status).toBe(404);
    expect((await save(id)).status).toBe(404);
    expect(await views()).toMatchObject([{ name: 'almost' }]);
  });

  it('have a name and a key of their own: a second one is refused, and the first is named', async () => {
    const { create, save, views, idOf } = await withViews();
    await create({ key: '4' });
    const second = await idOf({ name: 'Second' });
    const expectRefusal = (
      { status, body: answer }: Awaited<ReturnType<typeof create>>,
      field: string,
      what: string,
    ) => {
      expect([status, answer['code']]).toEqual([409, 'CONFLICT']);
      expect(answer['error']).toBe(`The view “Production” has ${what} already. Choose another ${field}.`);
      expect(answer['details']).toMatchObject([{ field }]);
    };
    for (const refused of [await create({ name: 'PRODUCTION ' }), await save(second, { name: 'production' })])
      expectRefusal(refused, 'name', 'this name');
    for (const refused of [
      await create({ name: 'x', key: '4' }),
      await save(second, { name: 'Second', key: '4' }),
    ])
      expectRefusal(refused, 'key', 'the key 4');
    expect(await views()).toMatchObject([
      { name: 'Production', key: '4' },
      { name: 'Second', key: null },
    ]);
    expect((await save(second, { name: 'SECOND' })).status).toBe(200);
  });

  it('are not told, not even by a refusal, to a key that may not read', async () => {
    const { call, create, key } = await withViews();
    await create({ name: 'the payroll of March', key: '4' });
    const narrow = await key('me@example.com', ['write']);
    expect((await call('GET', '/views', { key: narrow })).status).toBe(403);
    const refused = await create({ name: 'x', key: '4' }, narrow);
    expect(refused.status).toBe(409);
    expect(refused.text).not.toContain('payroll');
  });

  it('are 50 at most, and one name is given once, however many are saved at once', async () => {
    const { create, views } = await withViews();
    const statuses = async (answers: ReturnType<typeof create>[]) =>
      (await Promise.all(answers)).map(({ status }) => status).toSorted();
    expect(await statuses(Array.from({ length: 5 }, () => create()))).toEqual([201, 409, 409, 409, 409]);
    const many = await statuses(Array.from({ length: 52 }, (_, index) => create({ name: `view ${index}` })));
    expect(many.filter((status) => status === 201)).toHaveLength(49);
    expect(await views()).toHaveLength(50);
    expect((await create({ name: 'one more' })).body['error']).toContain('Delete one');
  });

  it.each([
    [{ name: ' ' }, 'name'],
    [{ name: '\u200B\u2060' }, 'name'],
    [{ name: 'x'.repeat(61) }, 'name'],
    [{ key: '3' }, 'key'],
    [{ key: '44' }, 'key'],
    [{ key: 4 }, 'key'],
    [{ query: 'x'.repeat(1001) }, 'query'],
    [{ query: undefined }, 'query'],
  ])('are refused with %j, by the name of the field', async (fields, field) => {
    const { create, views } = await withViews();
    const refused = await create(fields);
    expect([refused.status, refused.body['code']]).toEqual([400, 'VALIDATION_ERROR']);
    expect((refused.body['details'] as { field: string }[]).map((detail) => detail.field)).toContain(field);
    expect(await views()).toEqual([]);
  });
});
