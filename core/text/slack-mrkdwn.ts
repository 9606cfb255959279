// Slack's markup as text without marks. Pure; linear in the length of the text.
// https://docs.slack.dev/messaging/formatting-message-text
import { withEmoji } from './emoji.ts';

/** How what a text refers to is written. */
export interface SlackReferences {
  /** A person, by id. */
  person: (id: string) => string;
  /** A link; its label is empty where it has none. */
  link: (url: string, label: string) => string;
}

/** Of a longer text, so many are read. */
export const MAX_MRKDWN_CHARACTERS = 40_000;

/** Code and references, in which no name is that of an emoji, and what is between them. */
const STRETCHES = /```[^`]{0,10000}```|`[^`\n]{1,500}`|<[^<>\n]{1,4000}>|[^`<]+/g;

/**
 * The text without its marks: `<@U1>`, `<#C1|ops>`, `<https://…|x>`, `:tada:`, bold, slanted and struck
 * words, quotes and code. `emoji` are known by these names as well. `&amp;` and the like stay.
 */
export function withoutMrkdwn(
  mrkdwn: string,
  references: SlackReferences,
  emoji?: ReadonlyMap<string, string>,
): string {
  return mrkdwn
    .slice(0, MAX_MRKDWN_CHARACTERS)
    .replace(STRETCHES, (stretch) => (/^[`<]/.test(stretch) ? stretch : withEmoji(stretch, emoji)))
    .replace(/<([^<>\n]{1,4000})>/g, (_, inside: string) => referenceText(inside, references))
    .replace(/```([^`]{0,10000})```/g, '$1')
    .replace(/`([^`\n]{1,500})`/g, '$1')
    .replace(/(?<![\w*])\*(?=[^\s*])([^*\n]{1,500})(?<=\S)\*(?![\w*])/g, '$1')
    .replace(/(?<![\w/])_(?=[^\s_])([^_\n]{1,500})(?<=\S)_(?!\w)/g, '$1')
    .replace(/(?<![\w~])~(?=[^\s~])([^~\n]{1,500})(?<=\S)~(?![\w~])/g, '$1')
    .replace(/^(?:&gt;|>){1,3} ?/gm, '');
}

/** What stands between `<` and `>`: a person, a channel, a group, a date or a link. */
function referenceText(inside: string, { person, link }: SlackReferences): string {
  const bar = inside.indexOf('|');
  const [target, label] = bar === -1 ? [inside, ''] : [inside.slice(0, bar), inside.slice(bar + 1)];
  const name = target.slice(1);
  switch (target.charAt(0)) {
    case '@':
      return label === '' ? person(name) : `@${label.replace(/^@/, '')}`;
    case '#':
      return `#${label.replace(/^#/, '') || name}`;
    case '!':
      return label || (name.startsWith('date^') ? target : `@${name.split('^')[0] ?? ''}`);
    default:
      return link(target.replace(/^mailto:/, ''), label);
  }
}
