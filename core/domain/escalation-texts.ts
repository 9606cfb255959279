// What an escalation says of a task to people.
import { clip, titled } from '../text/clean-text.ts';
import type { EscalationRecord, EscalationStep } from './escalation.ts';
import type { Task } from './task.ts';

const MAX_TITLE_CHARACTERS = 150;
const MAX_TEXT_CHARACTERS = 3000;
const MAX_ANSWER_CHARACTERS = 200;
/** Of a message of a chat, in UTF-16 units: Discord refuses a longer one. */
const MAX_MESSAGE_CHARACTERS = 2000;

/** A step that is done for a task. */
export interface StepOfTask {
  escalation: EscalationRecord;
  step: EscalationStep;
  task: Task;
}

type Texts = ReturnType<typeof escalationTexts>;

/** Said first where nobody knows whether the message came before, and its receiver cannot tell, either. */
export const MAYBE_REPEAT = 'This may be a repeat: it is not known whether it came the first time.';

/**
 * First line and rest of the task, where it came from, why it is said, and where it is. `isCut`: the first
 * line is longer than a title, and is in the body, too.
 */
export function escalationTexts({ task, escalation, step }: StepOfTask, publicUrl: string) {
  const lines = task.content.split('\n').map((line) => line.trimEnd());
  const { title, isCut, below } = titled(lines, MAX_TITLE_CHARACTERS);
  const times = task.occurrences > 1 ? `, ${task.occurrences} times` : '';
  const minutes = step.afterMinutes === 1 ? '1 minute' : `${step.afterMinutes} minutes`;
  return {
    title,
    isCut,
    body: clip(below.join('\n').trim(), MAX_TEXT_CHARACTERS),
    about: `Priority ${task.priority}, from ${task.intake?.name ?? task.source}${times}.`,
    why:
      step.afterMinutes === 0
        ? `Escalation “${escalation.name}”.`
        : `Nobody acknowledged it for ${minutes} (escalation “${escalation.name}”).`,
    link: `${publicUrl}/inbox?task=${encodeURIComponent(task.id)}`,
  };
}

/** As a message of Slack, and of what takes the same: at most 2,000 UTF-16 units, the body shortened. */
export function slackText({ title, body, about, why, link }: Texts, maybeRepeat: boolean): string {
  const withBody = (shown: string) =>
    [
      maybeRepeat ? `_${MAYBE_REPEAT}_` : '',
      `*${escaped(title)}*`,
      shown,
      escaped(`${about} ${why}`),
      `<${link}|Open in Qinbox>`,
    ]
      .filter((line) => line !== '')
      .join('\n');
  return withBody(escapedWithin(body, MAX_MESSAGE_CHARACTERS - withBody('').length - 1));
}

/** The beginning of a text that has room when it is escaped. */
function escapedWithin(text: string, room: number): string {
  const whole = escaped(text);
  if (whole.length <= room) return whole;
  // An escaped character is not cut in two.
  const cut = clip(whole, Math.max(1, room)).replace(/&[a-z]*…$/, '…');
  return cut === '…' ? '' : cut;
}

/**
 * Three characters have a meaning (docs.slack.dev, "Escaping text"). Mattermost, Rocket.Chat and Discord call
 * everybody by plain words, and read Markdown, in which words hide where their link leads: an invisible space
 * stops both.
 */
function escaped(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replace(/@(?=(?:everyone|here)\b)|(?<!\w)@(?=(?:all|channel)\b)/gi, '@\u200B')
    .replace(/\](?=\s?[[(:])/g, ']\u200B');
}

/** The beginning of an answer. */
export function shortened(answer: string): string {
  return clip(answer.toWellFormed(), MAX_ANSWER_CHARACTERS);
}
