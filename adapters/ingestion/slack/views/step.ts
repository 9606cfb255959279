// The message of a step of an escalation, as Block Kit. Pure.
import type { ChatMessage } from '#core/ports/chat.ts';
import { escaped, withLinks } from '../tasks/text.ts';
import type { Message } from '../web-api/slack-api.ts';
import {
  actions,
  buttonsFor,
  clipped,
  context,
  MAX_SHOWN_CHARACTERS,
  MAX_TITLE_CHARACTERS,
  openButton,
  section,
  shownTask,
} from './blocks.ts';

export function stepMessage({ title, body, note, link, task }: ChatMessage, now: number): Message {
  const head = clipped(title, MAX_TITLE_CHARACTERS);
  const rest = body === '' ? '' : `\n${withLinks(clipped(body, MAX_SHOWN_CHARACTERS))}`;
  return {
    text: `${escaped(head)}\n${escaped(note)}`,
    blocks: [
      section(`*${withLinks(head)}*${rest}`),
      context(escaped(note)),
      ...actions([
        ...(task === null ? [] : buttonsFor(shownTask(task, now), 'confirm')),
        openButton('Open in Qinbox', link),
      ]),
    ],
  };
}
