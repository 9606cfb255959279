// What messages of programs in Slack show reads as text, whatever they hold.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  slackAttachment,
  slackBlocks,
  slackEmoji,
  slackFallback,
  type SlackReading,
} from './slack-message.ts';

const reading: SlackReading = {
  mrkdwn: (text) => text.replaceAll('*', ''),
  plain: (text) => text,
  person: (id) => `@${id}`,
  link: (url, label) => `${label}(${url})`,
};
const rich = (...elements: unknown[]) => ({
  type: 'rich_text',
  elements: [{ type: 'rich_text_section', elements }],
});

const section = (text: string) => ({ type: 'rich_text_section', elements: [{ type: 'text', text }] });

test.each<[string, unknown, string[]]>([
  [
    'a header and a section',
    [
      { type: 'header', text: { type: 'plain_text', text: 'A *new* alert' } },
      { type: 'divider' },
      {
        type: 'section',
        text: { type: 'mrkdwn', text: '*Disk* is full' },
        fields: [
          { type: 'mrkdwn', text: '*Host:*\ndb-3' },
          { type: 'plain_text', text: 'Since\n09:30' },
        ],
        accessory: { type: 'button', text: { type: 'plain_text', text: 'Open' } },
      },
    ],
    ['A *new* alert', 'Disk is full\nHost: db-3\nSince: 09:30'],
  ],
  [
    'a context and a picture',
    [
      {
        type: 'context',
        elements: [
          { type: 'image', alt_text: 'CI' },
          { type: 'mrkdwn', text: 'main' },
        ],
      },
      { type: 'image', title: { type: 'plain_text', text: 'Load' }, alt_text: 'a graph' },
    ],
    ['CI · main', 'Load'],
  ],
  [
    'rich text',
    [
      rich(
        { type: 'user', user_id: 'U1' },
        { type: 'text', text: ' look at *this* ' },
        { type: 'link', url: 'https://a.example', text: 'page' },
        { type: 'emoji', name: 'wave', unicode: '1f44b-1f3fb' },
        { type: 'emoji', name: 'fire' },
        { type: 'emoji', name: 'ours' },
        { type: 'channel', channel_id: 'C1' },
        { type: 'broadcast', range: 'here' },
      ),
    ],
    ['@U1 look at *this* page(https://a.example)👋🏻🔥:ours:#C1@here'],
  ],
  [
    'a list with numbers in another',
    [
      {
        type: 'rich_text',
        elements: [
          { type: 'rich_text_list', style: 'bullet', elements: [section('one')] },
          {
            type: 'rich_text_list',
            style: 'ordered',
            indent: 1,
            offset: 1,
            elements: [section('a'), section('b')],
          },
          {
            type: 'rich_text_quote',
            elements: [{ type: 'date', timestamp: 1_700_000_000, format: '{date}' }],
          },
          { type: 'rich_text_preformatted', elements: [{ type: 'text', text: 'let x' }] },
        ],
      },
    ],
    ['- one\n  2. a\n  3. b\n2023-11-14 22:13 UTC\nlet x'],
  ],
  [
    'a table',
    [
      {
        type: 'table',
        rows: [
          [
            { type: 'raw_text', text: 'Host' },
            { type: 'raw_text', text: 'Disk' },
          ],
          [{ type: 'raw_text', text: 'db-3' }, rich({ type: 'text', text: 'full' })],
        ],
      },
    ],
    ['Host | Disk\ndb-3 | full'],
  ],
  [
    'an alert, cards and a task, without what can be pressed',
    [
      { type: 'alert', text: { type: 'mrkdwn', text: '*Careful*' } },
      {
        type: 'carousel',
        elements: [
          {
            type: 'card',
            title: { type: 'mrkdwn', text: 'A' },
            body: { type: 'mrkdwn', text: 'b' },
            actions: [{ type: 'button', text: { type: 'plain_text', text: 'Open' } }],
          },
          { type: 'card', title: { type: 'mrkdwn', text: 'C' } },
        ],
      },
      { type: 'actions', elements: [{ type: 'button', text: { type: 'plain_text', text: 'Open' } }] },
      { type: 'task_card', title: 'Look', details: rich({ type: 'text', text: 'found' }) },
    ],
    ['Careful', 'A\nb\nC', 'Look\nfound'],
  ],
  ['what is no list', { type: 'section' }, []],
])('%s', (_, blocks, texts) => {
  expect(slackBlocks(blocks, reading)).toEqual(texts);
});

test('an attachment has its fields and blocks, and its fallback where it has nothing else', () => {
  const blocks = [{ type: 'section', text: { type: 'mrkdwn', text: '*PR* merged' } }];
  const fields = [{ title: 'Repository', value: 'acme/\napp' }, { value: 'main' }];
  expect(slackAttachment({ title: 'T', fields, blocks, fallback: 'F' }, reading)).toBe(
    'T\nRepository: acme/ app\nmain\nPR merged',
  );
  expect(slackAttachment({ fallback: '*F*' }, reading)).toBe('F');
  expect(slackAttachment({ fallback: '[no preview available]' }, reading)).toBe('');
  expect(slackFallback("This content can't be displayed.", reading)).toBe('');
});

test('the emoji of a message are known by the names that stand in its text', () => {
  const list = {
    type: 'rich_text_list',
    elements: [rich({ type: 'emoji', name: 'tada', unicode: '1f389' })],
  };
  const wave = { type: 'emoji', name: 'wave', unicode: '1f44b-1f3fb' };
  const wrong = ['110000', 'zz', '<b>', 17].map((unicode) => ({ type: 'emoji', name: 'wrong', unicode }));
  expect([...slackEmoji([rich(wave, ...wrong), list])]).toEqual([
    ['wave::skin-tone-2', '👋🏻'],
    ['tada', '🎉'],
  ]);
});

test('no JSON makes it throw', () => {
  fc.assert(
    fc.property(fc.jsonValue(), (value) => {
      for (const each of [value, [value], [{ type: 'section', text: value, fields: value }], [rich(value)]])
        expect([slackBlocks(each, reading), slackAttachment(each, reading), slackEmoji(each)]).toHaveLength(
          3,
        );
    }),
  );
  let deep: unknown = { type: 'text', text: 'x' };
  for (let depth = 0; depth < 10_000; depth++) deep = { type: 'rich_text', elements: [deep] };
  expect(slackBlocks([deep], reading)).toEqual([]);
});
