// Notifications of Apprise: its API, and its json://, form:// and xml:// addresses.
// https://github.com/caronc/apprise/wiki/Notify_Custom_JSON
import type { Priority } from '#core/contract/index.ts';
import { fingerprintOf } from '#core/domain/hash.ts';
import type { Preset } from '../preset.ts';
import { entry, field, isObject, raw } from '../read.ts';
import { key, says, USUAL } from '../result.ts';
import { lines, manyLines, oneLine, plain } from '../text.ts';
import sample from './sample.json' with { type: 'json' };

const MAX_CHARACTERS = 8000;
/** A warning wants somebody, or it would not be sent. */
const PRIORITIES: Readonly<Record<string, Priority>> = {
  failure: 'high',
  warning: 'high',
  success: 'low',
  info: 'normal',
};

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
    const shown = /^(?:markdown|html)$/.test(raw(value, 'format'))
      ? plain(text, MAX_CHARACTERS)
      : manyLines(text, MAX_CHARACTERS);
    if (title === '' && shown === '') return null;
    return says('', {
      content: lines(title, shown === title ? '' : shown),
      priority: entry(PRIORITIES, type.toLowerCase()) ?? USUAL,
      tags: raw(value, 'tag').split(','),
      // It has no id: the same text is the same notification, sent again.
      dedupeKey: key('apprise', 'same', fingerprintOf(`${title}\n${shown}`)),
    });
  },
  sample,
};
