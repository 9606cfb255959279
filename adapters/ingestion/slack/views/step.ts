// The message of a step of an escalation, as Block Kit. Pure.
import type { ChatMessage } from '#core/ports/chat.ts';
import { escaped } from '../tasks/text.ts';
import type { Message } from '../web-api/slack-api.ts';
import {
  actions,
  buttonsFor,
  clipped,
  MAX_SHOWN_CHARACTERS,
  openButton,
  plainContext,
  shownTask,
} from './blocks.ts';
import { line, richText, withLinks, words } from './rich-text.ts';

export function stepMessage({ title, body, note, link, task }: ChatMessage, now: number): Message {
  const rest = body === '' ? [] : [words('\n'), ...withLinks(clipped(body, MAX_SHOWN_CHARACTERS))];
  return {
    text: `${escaped(title)}\n${escaped(note)}`,
    blocks: [
      richText(line(...withLinks(title, { bold: true }), ...rest)),
      plainContext(note),
      ...actions([
        ...(task === null ? [] : buttonsFor(shownTask(task, now), 'confirm')),
        openButton('Open in Qinbox', link),
      ]),
    ],
  };
}
