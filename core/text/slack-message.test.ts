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
  const wave = { type: 'emoji', name: 'wave', unicode: '1f44b-1f3fb', skin_tone: 2 };
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
