// What is written in Slack reads in the inbox as a person would have written it there.
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { filled } from '#core/domain/filled.ts';
import { COMMON_MARKS } from '#test/helpers/marks.ts';
import { escaped, linkIn, parseTaskText, peopleIn, plainText } from './text.ts';

const names = new Map([['U1', 'ann']]);

it.each([
  ['<@U1> look', '@ann look'],
  ['<@U2> look', '@U2 look'],
  ['<@U2|bob> look', '@bob look'],
  ['in <#C1|ops> and <#C2>', 'in #ops and #C2'],
  ['<!here> <!channel|@channel> <!subteam^S1|@ops>', '@here @channel @ops'],
  ['<https://example.com/a?b=1&amp;c=2|the page>', 'the page (https://example.com/a?b=1&c=2)'],
  ['<https://example.com>', 'https://example.com'],
  ['<http://example.com|example.com>', 'http://example.com'],
  ['<mailto:a@example.com|a@example.com>', 'a@example.com'],
  ['<!date^1392734382^{date}|Feb 18>', 'Feb 18'],
  ['a &amp; b &lt;c&gt; &amp;lt;', 'a & b <c> &lt;'],
  ['*bold* _slanted_ ~gone~ `code` 2*3*4 snake_case_name', 'bold slanted gone code 2*3*4 snake_case_name'],
  ['```\nlet x\n```', 'let x'],
  ['&gt; quoted\nanswer', 'quoted\nanswer'],
])('%s reads %s', (mrkdwn, plain) => {
  expect(plainText(mrkdwn, names)).toBe(plain);
});

it.each([
  ['buy milk', { content: 'buy milk' }],
  [
    'fix <https://e.com/1> !HIGH #ops #now',
    { content: 'fix https://e.com/1', priority: 'high', tags: ['ops', 'now'], url: 'https://e.com/1' },
  ],
  ['!low call Bob in 2h', { content: 'call Bob', priority: 'low', expiryMinutes: 120 }],
  ['stand up in 45 min', { content: 'stand up', expiryMinutes: 45 }],
  ['renew in 3d #certs', { content: 'renew', tags: ['certs'], expiryMinutes: 4320 }],
  ['twice #ops #ops', { content: 'twice', tags: ['ops'] }],
  [
    `many ${Array.from({ length: 21 }, (_, at) => `#t${at}`).join(' ')}`,
    { content: 'many', tags: Array.from({ length: 20 }, (_, at) => `t${at}`) },
  ],
  ['someday in 9 weeks', { content: 'someday', expiryMinutes: 10_080 }],
  ['in 2h we meet', { content: 'in 2h we meet' }],
  ['never in 0h', { content: 'never in 0h' }],
  ['ask in <#C1|ops>', { content: 'ask in #ops' }],
  ['issue #12 is !important', { content: 'issue #12 is !important' }],
  ['one\ntwo  three', { content: 'one\ntwo three' }],
  ['!high #tag in 2h', null],
  ['   ', null],
  ['#ops \u200B\u3164', null],
])('%s is understood', (text, task) => {
  expect(parseTaskText(text, names)).toEqual(task);
});

it.each(COMMON_MARKS)('%s has the marks that it has in a mail', (text, content, tags, priority) => {
  expect(parseTaskText(text, names)).toEqual({ content, ...filled({ priority, tags }) });
});

it('what we say is no markup in Slack, and comes back as it was', () => {
  expect(escaped('<!channel> & <@U1>')).toBe('&lt;!channel&gt; &amp; &lt;@U1&gt;');
  expect(peopleIn('<@U1> <@U1> <@W2> <@U3|c>')).toEqual(['U1', 'W2']);
  expect(linkIn('see <mailto:a@b.c> <https://e.com?a=1&amp;b|x>')).toBe('https://e.com?a=1&b');
  fc.assert(
    fc.property(fc.string({ unit: fc.constantFrom('<', '>', '&', 'a', ';', '@', '!', ' ') }), (text) => {
      expect(escaped(text)).not.toMatch(/[<>]/);
      expect(plainText(escaped(`a${text}`.trim().replace(/\s+$/, '')))).toBe(`a${text}`.trim());
    }),
  );
});

it('never throws, whatever is written', () => {
  fc.assert(
    fc.property(
      fc.string({
        unit: fc.constantFrom('<', '>', '|', '#', '@', '!', '*', '_', '~', '`', '\n', 'a', ' ', '&'),
      }),
      (text) => {
        const task = parseTaskText(text);
        expect(task === null || task.content.trim() === task.content).toBe(true);
      },
    ),
  );
});
