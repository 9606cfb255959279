// What senders wrote is shown in Slack as they wrote it.
import { expect, it } from 'vitest';
import { withLinks } from './rich-text.ts';

/** Links between angle brackets. */
const shown = (text: string): string =>
  withLinks(text)
    .map((piece) => (piece.type === 'link' ? `<${piece.url}>` : piece.type === 'text' ? piece.text : '?'))
    .join('');

it.each([
  ['see https://a.example/?x=1&y=2.', 'see <https://a.example/?x=1&y=2>.'],
  ['(http://a.example/b_(c)) <!here>', '(<http://a.example/b_(c)>) <!here>'],
  ['https://a.example|https://b.example', '<https://a.example>|<https://b.example>'],
  ['<https://a.example|free>', '<<https://a.example>|free>'],
  ['https://a.example/cut…', 'https://a.example/cut…'],
  ['https://. javascript:x', 'https://. javascript:x'],
  ['https://a.example:99999/x', 'https://a.example:99999/x'],
])('the addresses in %j are links that show where they lead', (text, links) => {
  expect(shown(text)).toBe(links);
});

it('marks of Slack’s markup stay, on any line, and no piece is empty', () => {
  const text = '*rm* _x_ ~y~ `z` ```q```\n> :fire: &amp; <@U1>\n';
  expect(withLinks(text)).toEqual([{ type: 'text', text }]);
  const style = { bold: true };
  expect(withLinks('https://a.example', style)).toEqual([{ type: 'link', url: 'https://a.example', style }]);
});
