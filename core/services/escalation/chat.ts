// A step of an escalation as a message of the app that is connected to a chat: once, also where the process
// dies while it is sent. That it is sent now is stored first; what may have been sent is looked for.
import { escalationTexts } from '#core/domain/escalation-texts.ts';
import type { Chat, ChatAnswer } from '#core/ports/chat.ts';
import type { Clock } from '#core/ports/clock.ts';
import type { EscalationNotice } from './notice.ts';
import type { StepAnswer } from '#core/services/work/steps.ts';

interface Parts {
  /** Null where this process is connected to none. */
  chat: Chat | null;
  clock: Clock;
  /** The address of the inbox, without a slash at the end. */
  publicUrl: () => string;
}

export async function writeToChat(
  notice: EscalationNotice,
  place: string,
  { chat, clock, publicUrl }: Parts,
): Promise<StepAnswer> {
  if (chat === null) return { kind: 'retry', detail: 'Slack is not set up on this server.', notBefore: null };
  const { task, isTest, id, sending } = notice;
  const about = { ownerId: task.ownerId, place, id };
  if (sending.lastAt !== null) {
    const found = await chat.find(about, sending.lastAt);
    if (found.kind === 'done') return { kind: 'done', detail: 'The message is there.' };
    if (found.kind !== 'none') return answerOf(found, sending.lastAt, clock);
  }
  const { title, body, about: facts, why, link } = escalationTexts(notice, publicUrl());
  const at = await sending.begin();
  const message = { ...about, title, body, note: `${facts} ${why}`, link, task: isTest ? null : task };
  return answerOf(await chat.post(message), at, clock);
}

function answerOf(answer: ChatAnswer, sentAt: number, clock: Clock): StepAnswer {
  switch (answer.kind) {
    case 'done':
      return { kind: 'done', detail: 'The message was taken.' };
    case 'refused':
      return { kind: 'failed', detail: `${answer.reason}.` };
    case 'unavailable': {
      const { reason, waitMs } = answer;
      const notBefore = waitMs === null ? null : clock.now() + waitMs;
      return { kind: 'retry', detail: `${reason}.`, notBefore, sentAt };
    }
  }
}
