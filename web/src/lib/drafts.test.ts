import { describe, expect, test } from 'vitest';
import { createLocalStore } from './local-store.ts';
import { Drafts, NEW_ITEM, type DraftFields } from './drafts.ts';

const HOUR = 3_600_000;
const EMPTY: DraftFields = { content: '', priority: 'normal', tags: '' };
const typed = (content: string): DraftFields => ({ ...EMPTY, content });

function setUp() {
  const page = { owner: 'jwt ann' as string | null, now: 0, isKnown: true };
  const open = () =>
    new Drafts(createLocalStore(localStorage), () => page.owner, {
      now: () => page.now,
      isKnown: () => page.isKnown,
    });
  return { page, open, drafts: open() };
}

describe('a draft', () => {
  test('is there after a reload, for a day, or until the time of its task is up', () => {
    const { page, open, drafts } = setUp();
    drafts.save(NEW_ITEM, typed('call'), EMPTY);
    drafts.save('task_1', typed('pump'), typed('p'), 2 * HOUR);
    expect(open().get(NEW_ITEM)).toMatchObject({ fields: typed('call'), base: EMPTY, savedAt: 0 });
    page.now = 2 * HOUR;
    expect(open().get('task_1')).toBeNull();
    page.now = 24 * HOUR - 1;
    expect(open().get(NEW_ITEM)?.fields).toEqual(typed('call'));
    page.now += 1;
    expect(open().get(NEW_ITEM)).toBeNull();
  });

  test('is not lost by a clock that may be wrong, only by the time of the server', () => {
    const { page, open, drafts } = setUp();
    drafts.save('task_1', typed('pump'), typed('p'), 2 * HOUR);
    Object.assign(page, { now: 48 * HOUR, isKnown: false });
    expect(open().get('task_1')?.fields).toEqual(typed('pump'));
    drafts.save(NEW_ITEM, typed('call'), EMPTY);
    expect(open().get('task_1')?.fields).toEqual(typed('pump'));
    page.isKnown = true;
    expect(open().get('task_1')).toBeNull();
  });

  test('is never shown to anyone else, and gone for good once anyone else looks', () => {
    const { page, open, drafts } = setUp();
    drafts.save(NEW_ITEM, typed('secret'), EMPTY);
    page.owner = 'jwt bob';
    expect(drafts.get(NEW_ITEM)).toBeNull();
    expect(String(localStorage.getItem('qinbox.drafts'))).not.toContain('secret');
    page.owner = 'jwt ann';
    expect(open().get(NEW_ITEM)).toBeNull();
  });

  test('outlives a session that ended by itself, whatever a guest types meanwhile', () => {
    const { page, open, drafts } = setUp();
    drafts.save(NEW_ITEM, typed('mine'), EMPTY);
    page.owner = null;
    expect(drafts.get(NEW_ITEM)).toBeNull();
    drafts.save(NEW_ITEM, typed('of a guest'), EMPTY);
    expect(drafts.get(NEW_ITEM)?.fields).toEqual(typed('of a guest'));
    expect(open().get(NEW_ITEM)).toBeNull();
    page.owner = 'jwt ann';
    expect(drafts.get(NEW_ITEM)?.fields).toEqual(typed('mine'));
  });

  test('that is one too many takes the place of the oldest', () => {
    const { drafts } = setUp();
    for (let made = 0; made <= 20; made += 1) drafts.save(`task_${made}`, typed(String(made)), EMPTY);
    expect([drafts.get('task_0'), drafts.get('task_1')?.fields]).toEqual([null, typed('1')]);
    drafts.discard('task_1');
    expect(drafts.get('task_1')).toBeNull();
    drafts.clear();
    expect(drafts.get('task_20')).toBeNull();
  });

  test('in a storage that holds nonsense is none', () => {
    for (const nonsense of ['', '{', 'null', '{"owner":"jwt ann","drafts":{"new":{}}}', '[]']) {
      localStorage.setItem('qinbox.drafts', nonsense);
      expect(setUp().drafts.get(NEW_ITEM)).toBeNull();
    }
  });
});
