// How a step of an escalation tells somebody of a task.
import type { EscalationAction } from '#core/domain/escalation.ts';
import { escalationTexts, MAYBE_REPEAT, shortened, slackText } from '#core/domain/escalation-texts.ts';
import { retryAfter } from '#core/domain/retry-after.ts';
import { isTold, WEBHOOK_WORK, type WebhookPayload } from '#core/domain/webhook.ts';
import { newWork } from '#core/domain/work.ts';
import type { Chat } from '#core/ports/chat.ts';
import type { Clock } from '#core/ports/clock.ts';
import type { Outgoing } from '#core/ports/outgoing.ts';
import type { WebhookStore } from '#core/ports/webhook-store.ts';
import type { WorkStore } from '#core/ports/work-store.ts';
import type { Encryption } from '#core/services/encryption.ts';
import { writeToChat } from './chat.ts';
import type { EscalationNotice } from './notice.ts';
import { purposeOfStep } from './escalations.ts';
import type { SendMail } from '#core/services/mail.ts';
import type { PushAnswer } from '#core/services/push/notices.ts';
import type { Push } from '#core/services/push/push.ts';
import type { StepAnswer } from '#core/services/work/steps.ts';

export interface EscalationChannels {
  /** Must not throw for what the other side does. */
  notify(notice: EscalationNotice): Promise<StepAnswer>;
}

interface Parts {
  push: Pick<Push, 'again' | 'notice'>;
  outgoing: Outgoing;
  mail: SendMail;
  webhooks: Pick<WebhookStore, 'get'>;
  work: Pick<WorkStore, 'add'>;
  encryption: Encryption;
  chat: Chat | null;
  clock: Clock;
  /** The address of the inbox, without a slash at the end. */
  publicUrl: () => string;
}

const TIMEOUT_MS = 15_000;

type Action<K extends EscalationAction['kind']> = Extract<EscalationAction, { kind: K }>;

export function createEscalationChannels(parts: Parts): EscalationChannels {
  return {
    notify(notice) {
      const { action } = notice.step;
      switch (action.kind) {
        case 'push':
          return pushAgain(notice, parts);
        case 'slack':
          return 'place' in action
            ? writeToChat(notice, action.place, parts)
            : postToSlack(notice, action.encryptedUrl, parts);
        case 'mail':
          return sendMail(notice, action, parts);
        case 'webhook':
          return tellWebhook(notice, action, parts);
      }
    },
  };
}

async function pushAgain({ task, isTest }: EscalationNotice, { push }: Parts): Promise<StepAnswer> {
  const { ownerId, id, content } = task;
  return pushed(
    await (isTest ? push.notice(ownerId, { title: content, body: '', tag: id }) : push.again(task)),
  );
}

/** What came of a push, as the answer of a step. */
export function pushed(answer: PushAnswer): StepAnswer {
  switch (answer.kind) {
    case 'held':
      return { kind: 'wait', until: answer.until, detail: 'It is quiet, or nobody is to be disturbed.' };
    case 'none':
      return { kind: 'failed', detail: 'There is no device that pushes go to.' };
    case 'sent': {
      const { devices } = answer;
      if (devices === 0) return { kind: 'retry', detail: 'No device could be reached.', notBefore: null };
      return { kind: 'done', detail: `Pushed to ${devices === 1 ? '1 device' : `${devices} devices`}.` };
    }
  }
}

async function postToSlack(
  notice: EscalationNotice,
  encryptedUrl: string,
  { outgoing, encryption, clock, publicUrl }: Parts,
): Promise<StepAnswer> {
  const url = encryption.decrypt(encryptedUrl, purposeOfStep(notice.step.id));
  if (url === null) return { kind: 'failed', detail: 'Its address cannot be read any more. Enter it again.' };
  const maybeRepeat = notice.sending.lastAt !== null;
  const text = slackText(escalationTexts(notice, publicUrl()), maybeRepeat);
  const sentAt = await notice.sending.begin();
  const answer = await outgoing.post({
    url,
    headers: { 'content-type': 'application/json', 'user-agent': 'Qinbox' },
    body: JSON.stringify({ text }),
    timeoutMs: TIMEOUT_MS,
  });
  if (answer.kind === 'refused') return { kind: 'failed', detail: answer.reason };
  const sure = { kind: 'retry', notBefore: null } as const;
  const unsure = { ...sure, sentAt };
  if (answer.kind === 'failed') return { ...(answer.isSent ? unsure : sure), detail: answer.reason };
  const { status, headers } = answer;
  if (status >= 200 && status < 300) return { kind: 'done', detail: takenDetail(maybeRepeat) };
  const detail = `It answered ${status}: ${shortened(answer.body)}`;
  if (status !== 429 && status < 500 && status !== 408) return { kind: 'failed', detail };
  const notBefore = retryAfter(headers['retry-after'], clock.now());
  // Others than these two may come of what stands between, which does not know, either.
  return { ...(status === 429 || status === 503 ? sure : unsure), detail, notBefore };
}

const takenDetail = (maybeRepeat: boolean) =>
  maybeRepeat ? 'The message was taken, perhaps for the second time: it says so.' : 'The message was taken.';

async function sendMail(
  notice: EscalationNotice,
  { to }: Action<'mail'>,
  { mail, publicUrl }: Parts,
): Promise<StepAnswer> {
  const { title, isCut, body, about, why, link } = escalationTexts(notice, publicUrl());
  const first = notice.sending.lastAt === null ? '' : MAYBE_REPEAT;
  const text = [first, isCut ? '' : title, body, about, why, link].filter((part) => part !== '').join('\n\n');
  await notice.sending.begin();
  return mail(notice.task.ownerId, { to, subject: title, text: `${text}\n`, messageId: notice.id });
}

/** The event goes the way of all that the webhook is told: signed, in order, repeated until it is taken. */
async function tellWebhook(
  { escalation, step, number, task }: EscalationNotice,
  { webhookId }: Action<'webhook'>,
  { webhooks, work, clock }: Parts,
): Promise<StepAnswer> {
  const { ownerId, id } = task;
  const webhook = await webhooks.get(ownerId, webhookId);
  if (webhook === null) return { kind: 'failed', detail: 'The webhook was deleted.' };
  if (!isTold(webhook))
    return { kind: 'failed', detail: `The webhook “${webhook.name}” is paused or switched off.` };
  const at = clock.now();
  const { name } = escalation;
  const payload = JSON.stringify({
    type: 'task.escalated',
    at,
    task,
    escalation: { id: escalation.id, name, step: number, afterMinutes: step.afterMinutes },
  } satisfies WebhookPayload);
  const event = `evt_${id.slice(id.indexOf('_') + 1)}_${step.id}`;
  await work.add([
    newWork(
      {
        id: event,
        kind: WEBHOOK_WORK,
        ownerId,
        lane: webhookId,
        key: id,
        sequence: task.version * 2,
        payload,
      },
      at,
    ),
  ]);
  return { kind: 'done', detail: `Handed to the webhook “${webhook.name}”.` };
}
