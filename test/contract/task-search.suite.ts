// Searches: what a text, tags and an intake find, orders, and facets, for every driver of the port TaskStore.
import { beforeEach, describe, expect, it } from 'vitest';
import { MAX_TASKS_BYTES, type TaskOrder } from '#core/contract/index.ts';
import { compareInOrder } from '#core/contract/order.ts';
import { MAX_FACETS } from '#core/domain/facets.ts';
import type { Task, TaskDraft } from '#core/domain/task.ts';
import { insertOf, newOwner } from '#test/helpers/records.ts';
import type { StorageHarness } from './harness.ts';
import { MINUTE, useTasks, type Current } from './task-fixture.ts';

const ORDERS: TaskOrder[] = ['newest', 'priority', 'expiry', 'source', 'intake', 'tag'];

export function describeTaskSearches(harness: StorageHarness): void {
  const through = (name: string, id = `int_${name}`) => ({ id, name, deliveryId: 'dlv_1' });

  describe('a text search', () => {
    const tasks = useTasks(harness);
    const { add, list, idsOf } = tasks;

    it.each<[string, Partial<TaskDraft>]>([
      ['content', { content: 'a Needle.' }],
      ['a tag', { tags: ['x', 'needlework'] }],
      ['the source', { source: 'NEEDLE' }],
      ['the body', { metadata: { host: 'a', body: 'line\nneedle', n: { a: [1, 'x', null] } } }],
      ['the sender', { metadata: { from: 'Needle <n@example.com>', body: 'x' } }],
      ['the name of the intake', { intake: through('The needle', 'int_1') }],
    ])('finds %s, ignoring case', async (_, fields) => {
      await add({ metadata: { body: 'hay', from: 'hay' }, tags: ['hay'], intake: through('hay') });
      const { id } = await add(fields);
      expect(await list({ text: 'nEEdLe' })).toMatchObject({ total: 1, tasks: [{ id }] });
    });

    it.each<[string, Partial<TaskDraft>]>([
      ['other metadata', { metadata: { host: 'needle', needle: 'x', subject: 'needle' } }],
      ['metadata within metadata', { metadata: { a: { body: 'needle' }, b: [{ from: 'needle' }] } }],
      ['text that only looks like metadata', { metadata: { host: '","body":"needle' } }],
      ['a body that is no text', { metadata: { body: ['needle'], from: { needle: 'needle' } } }],
      ['the id of the intake or the delivery', { intake: { id: 'needle', name: 'x', deliveryId: 'needle' } }],
      ['the dedupe key', { dedupeKey: 'needle' }],
    ])('does not find %s', async (_, fields) => {
      await add(fields);
      expect(await list({ text: 'needle' })).toMatchObject({ total: 0, tasks: [] });
    });

    const odd = [
      'say "hi"',
      String.raw`C:\new\table`,
      'a\nb\tc',
      'nul\u0000end',
      'bell\u0007',
      'é ÄÖ ß',
      '🛟🛟',
      '👩‍🚀',
      '100 %_.*^$[]{}()|?+',
      '/path/',
      "it's",
      '{"body":"x"}',
      '\u2028',
      '-',
    ];
    it.each(odd)('takes %j for what it is, wherever it stands', async (text) => {
      const around = `before ${text} after`;
      const ids = [
        await add({ content: around }),
        await add({ tags: ['x', around] }),
        await add({ source: around }),
        await add({ metadata: { [around]: 1, from: around } }),
        await add({ metadata: { text: around, nested: { body: [around] }, body: around, last: true } }),
        await add({ metadata: { from: 'hay', body: around } }),
        await add({ intake: through(around) }),
      ].map(({ id }) => id);
      await add({ metadata: { text: around, body: 'hay' } });
      expect(await idsOf({ text })).toEqual(ids.toReversed());
      for (const other of odd)
        if (!around.includes(other)) expect((await list({ text: other })).total).toBe(0);
    });

    it('takes no part of an escape for text', async () => {
      await add({ content: '.', metadata: { body: 'a\nb\u0001"' } });
      for (const text of ['n', 'nb', '0001', 'u', '\\', '\\n']) expect(await idsOf({ text })).toEqual([]);
      for (const text of ['\n', 'A\nB', '\u0001"']) expect(await idsOf({ text })).toHaveLength(1);
    });

    it('ignores the case of letters beyond ASCII, too, where both forms are one character', async () => {
      const [a, b] = [await add({ content: 'GRÖSSE Ä' }), await add({ metadata: { body: 'größe Жук' } })];
      expect(await idsOf({ text: 'grö' })).toEqual([b.id, a.id]);
      expect(await idsOf({ text: 'ä' })).toEqual([a.id]);
      expect(await idsOf({ text: 'ЖУК' })).toEqual([b.id]);
      expect(await idsOf({ text: 'GRÖß' })).toEqual([b.id]);
    });

    it('finds what is at the end of the largest metadata', async () => {
      const fields = Object.fromEntries(Array.from({ length: 1500 }, (_, index) => [`k${index}`, index]));
      const nested = JSON.parse(`${'['.repeat(31)}${']'.repeat(31)}`) as unknown;
      for (const metadata of [
        { body: `${'\n'.repeat(8000)}needle` },
        { body: `${'"'.repeat(8000)}needle` },
        { body: `${'x'.repeat(16_000)}needle` },
        { ...fields, from: 'needle' },
        { fields, body: 'needle' },
        { nested, host: '\u0001'.repeat(2000), body: 'hay', from: 'needle' },
        { from: '\n'.repeat(7000), body: 'needle' },
      ]) {
        const { id } = await add({ metadata });
        expect((await idsOf({ text: 'NEEDLE' }))[0]).toBe(id);
      }
    });
  });

  describe('a filter', () => {
    const tasks = useTasks(harness);
    const { add, idsOf } = tasks;

    it('by several tags finds tasks that have them all', async () => {
      const [a, b, c] = [
        await add({ tags: ['x', 'y', 'z"\\'] }),
        await add({ tags: ['y', 'x'] }),
        await add({ tags: ['x', 'Y', 'y"'] }),
      ];
      expect(await idsOf({ tags: ['x'] })).toEqual([c.id, b.id, a.id]);
      expect(await idsOf({ tags: ['x', 'y'] })).toEqual([b.id, a.id]);
      expect(await idsOf({ tags: ['z"\\', 'y'] })).toEqual([a.id]);
      expect(await idsOf({ tags: ['y', 'Y'] })).toEqual([]);
      expect(await idsOf({ tags: ['x', 'x'] })).toEqual([c.id, b.id, a.id]);
      expect(await idsOf({ tags: ['"'] })).toEqual([]);
    });

    it('by intake finds tasks by its id or its name, ignoring the case of A to Z', async () => {
      const [a, b, c] = [
        await add({ intake: through('GitHub "main" É\n', 'int_Aa') }),
        await add({ intake: through('int_Aa', 'int_2') }),
        await add({ intake: through('NAS', 'int_3'), tags: ['x'] }),
      ];
      await add({ metadata: { intake: { id: 'int_Aa', name: 'NAS' } } });
      expect(await idsOf({ intake: 'int_Aa' })).toEqual([b.id, a.id]);
      expect(await idsOf({ intake: 'github "MAIN" É\n' })).toEqual([a.id]);
      expect(await idsOf({ intake: 'github "MAIN" É' })).toEqual([]);
      expect(await idsOf({ intake: 'github "main" é\n' })).toEqual([]);
      expect(await idsOf({ intake: 'nas', tags: ['x'], text: 'backup' })).toEqual([c.id]);
      expect(await idsOf({ intake: 'INT_3' })).toEqual([]);
      expect(await idsOf({ intake: '.*' })).toEqual([]);
    });
  });

  describe('an order', () => {
    const tasks = useTasks(harness);
    const { submit, add, pin, list, idsOf } = tasks;
    let clock: Current['clock'];
    beforeEach(() => void ({ clock } = tasks.current()));

    it('has pinned tasks first, then sorts by its key, then the newest first', async () => {
      const make = async (fields: Partial<TaskDraft>) => (await add(fields)).id;
      const a = await make({ priority: 'low', source: 'b', tags: ['Ops'], expiryMinutes: 3 });
      const b = await make({ priority: 'high', source: 'A', intake: through('nas') });
      const c = await make({ source: 'a', tags: ['ops', 'a'], intake: through('NAS'), expiryMinutes: 2 });
      const d = await make({ priority: 'high', source: 'Z', tags: ['dev'], expiryMinutes: 3 });
      const e = await make({ priority: 'low', source: 'z', intake: through('Alerts') });
      await pin(a);
      await pin(e);
      const order = (by: TaskOrder) => idsOf({}, 10, 0, by);
      expect(await order('newest')).toEqual([e, a, d, c, b]);
      expect(await order('priority')).toEqual([e, a, d, b, c]);
      expect(await order('expiry')).toEqual([e, a, c, d, b]);
      expect(await order('source')).toEqual([a, e, b, c, d]);
      expect(await order('intake')).toEqual([e, a, c, b, d]);
      expect(await order('tag')).toEqual([a, e, d, c, b]);
      expect(await idsOf({ pinned: false, priority: 'high' }, 10, 0, 'source')).toEqual([b, d]);
    });

    it('compares names by code points, and pages go on where they ended', async () => {
      const names = [
        'a',
        'B',
        'b',
        'ä',
        'Ä',
        '\u{FF5E}',
        '🛟',
        '\uE000',
        'a b',
        'a\u0000',
        'A\u0000',
        '[',
        'Z',
        '',
      ];
      const inserts = names.flatMap((name) =>
        [1, 2].map(() =>
          insertOf({
            source: name,
            tags: name === '' ? [] : [name, 'x'],
            ...(name === '' ? {} : { intake: through(name) }),
          }),
        ),
      );
      await submit(inserts.toSorted((x, y) => (x.draft.content < y.draft.content ? -1 : 1)));
      const all = (await list({}, 100)).tasks;
      const sorted = [
        '[',
        'a',
        'A\u0000',
        'a\u0000',
        'a b',
        'B',
        'b',
        'Z',
        'Ä',
        'ä',
        '\uE000',
        '\uFF5E',
        '🛟',
        '',
      ];
      for (const by of ['source', 'intake', 'tag'] as const) {
        const pages: Task[] = [];
        while (pages.length < all.length) {
          const page = await list({}, 5, pages.length, by);
          expect(page.total).toBe(all.length);
          pages.push(...page.tasks);
        }
        expect(pages).toEqual(all.toSorted((x, y) => compareInOrder(x, y, by)));
        expect([...new Set(pages.map(({ source }) => source))]).toEqual(sorted);
      }
    });

    it.each(ORDERS)('by %s ends a page with the last task that fits', async (by) => {
      const content = 'x'.repeat(10_000);
      const inserts = Array.from({ length: 120 }, (_, index) =>
        insertOf({
          content,
          source: `s${index % 7}`,
          tags: [`t${index % 5}`],
          expiryMinutes: 1 + (index % 3),
        }),
      );
      await submit(inserts);
      await pin(inserts[51]?.id ?? '');
      clock.advance(MINUTE);
      const found: Task[] = [];
      for (;;) {
        const page = await list({ text: 'xx' }, 1000, found.length, by);
        if (page.tasks.length === 0) break;
        expect(page.total).toBe(81);
        expect(page.tasks.length * 10_000).toBeLessThanOrEqual(MAX_TASKS_BYTES);
        found.push(...page.tasks);
      }
      expect(found).toHaveLength(81);
      expect(found).toEqual(found.toSorted((a, b) => compareInOrder(a, b, by)));
      expect(new Set(found.map(({ id }) => id)).size).toBe(81);
    });
  });

  describe('facets', () => {
    const tasks = useTasks(harness);
    const { submit, add, acknowledge, pin } = tasks;
    let clock: Current['clock'];
    let store: Current['store'];
    let owner: Current['owner'];
    beforeEach(() => void ({ clock, store, owner } = tasks.current()));
    const facets = (ownerId = owner) => store.facets({ ownerId, now: clock.now() });

    it('count sources, tags and intakes of live tasks, the most frequent first, then by value', async () => {
      await add({ source: 'api', tags: ['b', 'a'], intake: through('old name', 'int_1') });
      await add({ source: 'slack', tags: ['a', 'B'] });
      await add({ source: 'api', tags: [], intake: through('new name', 'int_1') });
      await pin(
        (
          await add({
            source: '',
            tags: ['\u{FF5E}', '🛟'],
            intake: through('NAS', 'int_0'),
            expiryMinutes: 1,
          })
        ).id,
      );
      await add({ source: 'gone', tags: ['gone'], expiryMinutes: 1 });
      await acknowledge((await add({ source: 'gone', tags: ['gone'] })).id);
      clock.advance(MINUTE);
      expect(await facets()).toEqual({
        sources: [
          { value: 'api', count: 2 },
          { value: 'slack', count: 1 },
        ],
        tags: [
          { value: 'a', count: 2 },
          ...['B', 'b', '\u{FF5E}', '🛟'].map((value) => ({ value, count: 1 })),
        ],
        intakes: [
          { id: 'int_1', name: 'new name', count: 2 },
          { id: 'int_0', name: 'NAS', count: 1 },
        ],
      });
      expect(await facets(newOwner())).toEqual({ sources: [], tags: [], intakes: [] });
    });

    it('are at most 100 of each: the most frequent of them', async () => {
      const value = (index: number) => String(index).padStart(4, '0');
      const inserts = Array.from({ length: 400 }, (_, index) =>
        insertOf({
          source: `s${value(index % 150)}`,
          tags: [`t${value(index % 150)}`, `u${value(index)}`],
          intake: through(`i${value(index % 150)}`),
        }),
      );
      await submit(inserts);
      const { sources, tags, intakes } = await facets();
      const first = Array.from({ length: MAX_FACETS }, (_, index) => value(index));
      expect(sources).toEqual(first.map((name) => ({ value: `s${name}`, count: 3 })));
      expect(tags).toEqual(first.map((name) => ({ value: `t${name}`, count: 3 })));
      expect(intakes).toEqual(first.map((name) => ({ id: `int_i${name}`, name: `i${name}`, count: 3 })));
    });

    it('end when they are told to', async () => {
      await add();
      const signal = AbortSignal.abort(new Error('enough'));
      await expect(store.facets({ ownerId: owner, now: clock.now(), signal })).rejects.toThrow('enough');
    });
  });
}
