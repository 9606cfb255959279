// Notifications of Apprise: its API, and its json://, form:// and xml:// addresses.
// https://github.com/caronc/apprise/wiki/Notify_Custom_JSON
import type { Priority } from '#core/contract/index.ts';
import { fingerprintOf } from '#core/domain/hash.ts';
import type { Preset } from '../preset.ts';
import { entry, field, isObject, items, raw } from '../read.ts';
import { key, says, USUAL } from '../result.ts';
import { lines, manyLines, oneLine, plain, plainHtml } from '../text.ts';
import sample from './sample.json' with { type: 'json' };

const MAX_CHARACTERS = 8000;
/** A warning wants somebody, or it would not be sent. */
const PRIORITIES: Readonly<Record<string, Priority>> = {
  failure: 'high',
  warning: 'high',
  success: 'low',
  info: 'normal',
};

/** `json://` and its like do not say that a text is HTML. */
const HTML = /<br ?\/?>|<\/(?:a|b|code|div|em|h[1-6]|i|li|p|pre|span|strong|table|td|ul)>/i;

/** What `xml://` sends, in its envelope. */
const IN_ENVELOPE = 'Envelope.Body.Notification';

export const apprise: Preset = {
  id: 'apprise',
  title: 'Apprise',
  description: 'Whatever notifies through Apprise: title, text and type.',
  scheme: 'none',
  setup: 'Use apprise://HOST/TOKEN, or json:// with the address of the intake.',
  events: [],
  read({ value: payload }) {
    const value = field(payload, IN_ENVELOPE) ?? payload;
    if (!isObject(value)) return null;
    const text = raw(value, 'body') || raw(value, 'message') || raw(value, 'Message');
    const title = oneLine(raw(value, 'title') || raw(value, 'Subject'), 250);
    const type = raw(value, 'type') || raw(value, 'MessageType');
    const format = raw(value, 'format');
    const read = /^(?:markdown|html)$/.test(format)
      ? plain
      : format === '' && HTML.test(text)
        ? plainHtml
        : manyLines;
    const shown = read(text, MAX_CHARACTERS);
    if (title === '' && shown === '') return null;
    return says('', {
      content: lines(title, shown === title ? '' : shown),
      priority: entry(PRIORITIES, type.toLowerCase()) ?? USUAL,
      // A text, or a list: `apprise://…?tags=ops,nas`.
      tags: [field(value, 'tag'), ...items(value, 'tag')]
        .filter((tag) => typeof tag === 'string')
        .flatMap((tag) => tag.split(',')),
      // It has no id: the same text is the same notification, sent again.
      dedupeKey: key('apprise', 'same', fingerprintOf(`${title}\n${shown}`)),
    });
  },
  sample,
};
