// A message of a chat is short enough for each of those that take it, and calls nobody.
import { expect, it } from 'vitest';
import { draft, escalationOf } from '#test/helpers/records.ts';
import { escalationTexts, slackText } from './escalation-texts.ts';
import { newTask } from './task.ts';

const escalation = escalationOf({ name: '&'.repeat(100) });
const [step] = escalation.steps;

function said(content: string, maybeRepeat = false): string {
  const task = newTask(draft({ content }), 'task_1', 'user_1', 0);
  if (step === undefined) throw new Error('there is no step');
  return slackText(escalationTexts({ task, escalation, step }, 'https://q.example.com'), maybeRepeat);
}

it.each(['x', '&', '<', '🦀', '\n', '@here '])('a long task of %j has at most 2,000 characters', (part) => {
  const text = said(`${'&'.repeat(150)}\n${part.repeat(3000)}end`, true);
  expect(text.length).toBeLessThanOrEqual(2000);
  expect(text.isWellFormed()).toBe(true);
  expect(text).toContain('|Open in Qinbox>');
  // What is cut is cut between characters, also escaped ones.
  expect(text.replace(/<https:[^>]*>$/, '')).not.toMatch(/&(?!amp;|lt;|gt;)|[<>]/);
});

it('a short one is whole', () => {
  expect(said('Disk <full>\non nas & more')).toMatch(/^\*Disk &lt;full&gt;\*\non nas &amp; more\n/);
});

it('a first line that is longer than a title is whole below it', () => {
  const line = `${'Backup of host db1: '.repeat(10)}see the log`;
  const text = said(`${line}\nmore`);
  expect(text).toMatch(/^\*Backup of host db1: .*…\*\n/);
  expect(text).toContain(`\n${line}\nmore\nPriority `);
});

it('no words that a sender wrote hide where a link leads, also where Markdown is read', () => {
  const text = said(
    '[https://bank.example](https://a.example) ![x](https://b.example)\n[y][1] [z] (c) [1]\n[1]: https://c.example',
  );
  // Labels of links and pictures, and of their addresses elsewhere (spec.commonmark.org, 6.3 and 4.7).
  expect(text).not.toMatch(/\]\s?[[(:]/);
  expect(text.replaceAll('\u200B', '')).toContain('[https://bank.example](https://a.example)');
});

it('nobody is called by what a sender wrote', () => {
  const text = said('@channel look\n@here x@everyone @All <!channel> ann@all.example @hereby');
  expect(text).not.toMatch(/@(?:everyone|here)\b|(?<!\w)@(?:all|channel)\b|<!/i);
  expect(text).toContain('ann@all.example @hereby');
});
