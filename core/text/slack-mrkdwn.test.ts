// Slack's markup without its marks, as the app and the webhook read it.
import { expect, it } from 'vitest';
import { withoutMrkdwn } from './slack-mrkdwn.ts';

const references = {
  person: (id: string) => `@${id}`,
  link: (url: string, label: string) => `[${url}|${label}]`,
};

it.each([
  ['*:fire: db-3* is _down_, ~fine~', '🔥 db-3 is down, fine'],
  ['`:fire:` and ```:fire:```', ':fire: and :fire:'],
  ['&gt; said\n>>> so', 'said\nso'],
  ['<@U1|ann> <@U2> <#C1|ops> <!here> <!subteam^S1>', '@ann @U2 #ops @here @subteam'],
  ['<https://e.com/:fire:|x> <mailto:a@b.c>', '[https://e.com/:fire:|x] [a@b.c|]'],
  ['a &amp; b &lt;c&gt;', 'a &amp; b &lt;c&gt;'],
])('%s reads %s', (mrkdwn, plain) => {
  expect(withoutMrkdwn(mrkdwn, references)).toBe(plain);
});

it('knows an emoji that a message gives by its name', () => {
  expect(withoutMrkdwn(':parrot:', references, new Map([['parrot', '🦜']]))).toBe('🦜');
});
