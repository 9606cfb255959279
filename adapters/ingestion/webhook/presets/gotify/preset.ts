// Gotify: title, message, priority 0 to 10. https://gotify.net/docs/pushmsg and .../msgextras
import type { Priority } from '#core/contract/index.ts';
import type { Preset } from '../preset.ts';
import { field, isObject, link, number, raw } from '../read.ts';
import { says, USUAL } from '../result.ts';
import { labelledLink, lines, manyLines, oneLine, plain } from '../text.ts';
import sample from './sample.json' with { type: 'json' };

const MAX_CHARACTERS = 4096;

/** As Gotify's app for Android does: up to 3 is quiet, from 8 on it is loud. */
function priorityOf(value: number | null): Priority | undefined {
  if (value === null) return USUAL;
  return value >= 8 ? 'high' : value >= 4 ? 'normal' : 'low';
}

export const gotify: Preset = {
  id: 'gotify',
  title: 'Gotify-compatible',
  description: 'Whatever can push to Gotify: title, message, priority and the link that a click opens.',
  scheme: 'none',
  setup: 'Use the address instead of https://gotify…/message, without a token.',
  events: [],
  read({ value }) {
    if (!isObject(value)) return null;
    const markdown = field(value, 'extras.client::display.contentType') === 'text/markdown';
    const message = markdown
      ? plain(raw(value, 'message'), MAX_CHARACTERS)
      : manyLines(raw(value, 'message'), MAX_CHARACTERS);
    const title = oneLine(raw(value, 'title'), 250);
    if (title === '' && message === '') return null;
    return says('', {
      content: lines(title, message === title ? '' : message),
      priority: priorityOf(number(value, 'priority')),
      url:
        link(value, 'extras.client::notification.click.url', 'extras.android::action.onReceive.intentUrl') ||
        (markdown ? labelledLink(raw(value, 'message')) : ''),
    });
  },
  sample,
};
