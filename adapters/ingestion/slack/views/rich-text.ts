// Texts of senders as rich text of Block Kit, which shows every character as it was written: Slack's markup
// has no escape for `*`, `_`, `~` and backticks. Pure.
// https://docs.slack.dev/reference/block-kit/blocks/rich-text-block
import type { types } from '@slack/bolt';
import { filled } from '#core/domain/filled.ts';
import { trimLink } from '#core/text/trim-link.ts';

/** A piece of a line. */
export type Piece = types.RichTextElement;

export function richText(...lines: types.RichTextBlockElement[]): types.RichTextBlock {
  return { type: 'rich_text', elements: lines };
}
export const line = (...elements: Piece[]): types.RichTextSection => ({
  type: 'rich_text_section',
  elements,
});
export const quote = (...elements: Piece[]): types.RichTextQuote => ({ type: 'rich_text_quote', elements });

export const words = (text: string): Piece => ({ type: 'text', text });
export const bold = (text: string): Piece => ({ type: 'text', text, style: { bold: true } });

/** A time by the clock of each reader; `at` in milliseconds. */
export function time(at: number): Piece {
  const fallback = new Date(at).toISOString();
  return { type: 'date', timestamp: Math.floor(at / 1000), format: '{date_short_pretty} {time}', fallback };
}

const ADDRESS = /(https?:\/\/[\p{L}\p{N}][^\s<>|"]*)/u;

/** A sender's text as it is, in which web addresses are links that show where they lead. */
export function withLinks(text: string, style?: types.RichTextStyleable['style']): Piece[] {
  const styled = filled({ style });
  const pieces: Piece[] = [];
  let said = '';
  const say = (): void => {
    if (said !== '') pieces.push({ type: 'text', text: said, ...styled });
    said = '';
  };
  for (const [at, part] of text.split(ADDRESS).entries()) {
    const url = at % 2 === 0 ? '' : trimLink(part);
    // Where the text was cut, it would lead elsewhere; what is no address, Slack refuses with the message.
    const isLink = URL.canParse(url) && !part.endsWith('…');
    if (isLink) {
      say();
      pieces.push({ type: 'link', url, ...styled });
    }
    said += isLink ? part.slice(url.length) : part;
  }
  say();
  return pieces;
}
