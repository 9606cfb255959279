// Discord's webhooks, so that what can post to Discord can post here: text and embeds.
// https://docs.discord.com/developers/resources/webhook#execute-webhook
import { colourPriority } from '../colour.ts';
import type { Preset } from '../preset.ts';
import { componentsOf } from './components.ts';
import { isObject, items, jsonIn, line, link, number, raw } from '../read.ts';
import { says, USUAL } from '../result.ts';
import { joined } from '#core/text/parts.ts';
import { around, labelledLink, lines, manyLines, oneLine, plain } from '../text.ts';
import sample from './sample.json' with { type: 'json' };

/** Of Discord: 2,000 of the text, 6,000 of all embeds. */
const MAX_CHARACTERS = 8000;
const MAX_EMBEDS = 10;
const MAX_FIELDS = 25;

/** References to people, channels and emoji; times as they are. */
function readable(text: string): string {
  const shown = text
    .slice(0, MAX_CHARACTERS)
    .replace(/<@[!&]?(\d{1,25})>/g, '@$1')
    .replace(/<#(\d{1,25})>/g, '#$1')
    .replace(/<a?:(\w{1,40}):\d{1,25}>/g, ':$1:')
    .replace(/<t:(\d{1,12})(?::[a-zA-Z])?>/g, (_, seconds: string) =>
      new Date(Number(seconds) * 1000).toISOString().slice(0, 16).replace('T', ' '),
    );
  return plain(shown, MAX_CHARACTERS);
}

function embedText(embed: unknown): string {
  const fields = items(embed, 'fields')
    .slice(0, MAX_FIELDS)
    .map((one) => joined(': ', [line(one, 'name', 100), oneLine(readable(raw(one, 'value')), 500)]));
  return lines(
    oneLine(readable(raw(embed, 'title')), 256),
    line(embed, 'author.name', 100),
    readable(raw(embed, 'description')),
    ...fields,
    line(embed, 'footer.text', 200),
  );
}

export const discord: Preset = {
  id: 'discord',
  title: 'Discord-compatible',
  description: 'Whatever can post to a webhook of Discord: text, embeds and components as plain text.',
  scheme: 'none',
  setup: 'Wherever a tool asks for a Discord webhook URL, paste the address instead.',
  events: [],
  read({ value }) {
    // With files, the message is a field of a form.
    const body = jsonIn(value, 'payload_json') ?? value;
    if (!isObject(body)) return null;
    const embeds = items(body, 'embeds').slice(0, MAX_EMBEDS);
    const parts = componentsOf(body);
    const written = [raw(body, 'content'), ...parts.texts];
    const content = manyLines(lines(...written.map(readable), ...embeds.map(embedText)), MAX_CHARACTERS);
    const poll = line(body, 'poll.question.text', 300);
    if (content === '' && poll === '') return null;
    const colours = [...embeds.map((embed) => number(embed, 'color')), ...parts.colours];
    const priorities = colours.map(colourPriority);
    const titled = embeds.map((embed) => link(embed, 'url', 'author.url'));
    const labelled = [...written, ...embeds.map((embed) => raw(embed, 'description'))].map(labelledLink);
    return says('', {
      content: lines(content, around('Poll: ', poll)),
      priority: priorities.includes('high') ? 'high' : priorities.find((each) => each !== USUAL),
      tags: [line(body, 'username', 50)],
      url: [...titled, ...parts.links, ...labelled].find((url) => url !== '') ?? '',
    });
  },
  sample,
};
