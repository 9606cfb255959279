// What is said in pushes fits what every push service takes, whatever a task says.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { draft } from '#test/helpers/records.ts';
import { DEFAULT_RULES, isPushed } from './push.ts';
import {
  badgeOf,
  closeMessage,
  MAX_CLOSED_TASKS,
  summaryMessage,
  taskMessage,
  topicOf,
} from './push-messages.ts';
import { newTask } from './task.ts';

const NOW = Date.UTC(2026, 10, 21, 9);
const MAX_BYTES = 3900;
const context = { publicUrl: 'https://qinbox.example.com', badge: 7 };
const taskOf = (fields: Parameters<typeof draft>[0]) =>
  newTask(draft(fields), 'task_0W9xkzQm00a7Gd2kPq81Zs', 'user_1', NOW);

describe('a push', () => {
  it('is JSON of at most 3,900 bytes, well-formed, whatever the task says', () => {
    const text = fc.oneof(
      fc.string({ unit: 'binary', minLength: 1, maxLength: 10_000 }),
      fc.constantFrom('\u0001'.repeat(10_000), `a\n${'🛟'.repeat(9000)}`, '"'.repeat(10_000), '\n\n', ' '),
    );
    fc.assert(
      fc.property(text, text, fc.boolean(), (content, name, isSilent) => {
        const task = taskOf({
          content,
          intake: { id: 'int_1', name: name.slice(0, 100), deliveryId: 'del_1' },
        });
        for (const message of [
          taskMessage(task, { token: 't'.repeat(250), isSilent }, context),
          summaryMessage({ count: 3, contents: [content, content, content], isSilent }, context),
        ]) {
          expect(Buffer.byteLength(message)).toBeLessThanOrEqual(MAX_BYTES);
          expect(JSON.parse(message)).toMatchObject({ web_push: 8030, app_badge: 7 });
        }
      }),
    );
  });

  it('has a first line that is longer than its title below it, whole', () => {
    const line = `${'Backup of host db1: '.repeat(10)}see the log`;
    const said = (content: string) =>
      JSON.parse(taskMessage(taskOf({ content }), { token: 't', isSilent: false }, context)) as object;
    expect(said(`${line}\nmore`)).toMatchObject({
      notification: { title: `${line.slice(0, 119)}…`, body: `${line}\nmore\napi` },
    });
    expect(said('short\nmore')).toMatchObject({ notification: { title: 'short', body: 'more\napi' } });
  });

  it('closes as many tasks as fit', () => {
    const ids = Array.from({ length: MAX_CLOSED_TASKS }, () => taskOf({ content: 'a' }).id);
    expect(Buffer.byteLength(closeMessage(ids, true, context))).toBeLessThanOrEqual(MAX_BYTES);
  });

  it('has a topic of 32 characters of base64url, one for each tag', () => {
    expect(topicOf('a')).toMatch(/^[A-Za-z0-9_-]{32}$/);
    expect(topicOf('a')).not.toBe(topicOf('b'));
  });

  it('has the number of listed tasks that are pushed', () => {
    const statistics = { total: 6, high: 3, normal: 2, low: 1, pinned: 0, snoozed: 9 };
    expect(badgeOf(statistics, { ...DEFAULT_RULES, priorities: ['high', 'low'] })).toBe(4);
    expect(badgeOf(statistics, { ...DEFAULT_RULES, priorities: [] })).toBe(0);
  });
});

describe('what is pushed', () => {
  const task = {
    ...taskOf({ content: 'a', priority: 'high', tags: ['ops', 'nas'] }),
    intake: { id: 'int_1', name: 'NAS', deliveryId: 'del_1' },
  };
  it.each([
    [true, {}],
    [false, { priorities: ['normal', 'low'] }],
    [false, { priorities: [] }],
    [true, { tags: ['x', 'nas'] }],
    [false, { tags: ['x'] }],
    [false, { tags: [] }],
    [true, { intakes: ['int_1'] }],
    [false, { intakes: ['NAS', 'int_2'] }],
    [false, { intakes: ['int_1'], tags: ['x'] }],
  ] as const)('is %s by %j', (expected, rules) => {
    const copied = JSON.parse(JSON.stringify({ ...DEFAULT_RULES, ...rules })) as typeof DEFAULT_RULES;
    expect(isPushed(task, copied)).toBe(expected);
  });

  it('is nothing that came another way where intakes are chosen', () => {
    expect(isPushed({ ...task, intake: null }, { ...DEFAULT_RULES, intakes: ['int_1'] })).toBe(false);
  });
});
