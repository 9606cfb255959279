// The form for a new task, from command, shortcut or Home tab. One form makes one task, also when sent again.
import type { App } from '@slack/bolt';
import { isBlank } from '#core/domain/blank.ts';
import type { ParsedTask } from '#core/domain/delivery.ts';
import { filled } from '#core/domain/filled.ts';
import { withEmoji } from '#core/text/emoji.ts';
import { withTimeLimit } from '#core/time-limit.ts';
import { anyAck, faultMessage, openDialog, reply, type ListenerDeps } from './listener.ts';
import { FORM_FAILED } from '../views/blocks.ts';
import {
  askToLink,
  confirmByMessage,
  createTask,
  storeConfirmation,
  type CreatedTask,
} from '../tasks/create-task.ts';
import { CALLBACKS } from '../settings.ts';
import { form, notice } from '../views/views.ts';
import { personOf, type FormSubmission, type Person } from '../payloads.ts';

const PURPOSE = 'slack:form';

/** Where a form was opened; it comes back with the form. */
export interface FormState {
  channelId: string | null;
  responseUrl: string | null;
}

/** Encrypted, because anybody who has a `response_url` can write to it. */
export function encryptFormState({ encryption }: ListenerDeps, state: FormState): string {
  return encryption.encrypt(JSON.stringify(state), PURPOSE);
}

function openFormState({ encryption }: ListenerDeps, encrypted: string | undefined): FormState {
  const text = encryption.decrypt(encrypted ?? '', PURPOSE);
  return text === null ? { channelId: null, responseUrl: null } : (JSON.parse(text) as FormState);
}

/** Opens the form, or tells a person who is not linked how to link. */
export async function offerForm(deps: ListenerDeps, person: Person, triggerId: string): Promise<void> {
  const isLinked = (await deps.records.ownerOf(person)) !== null;
  const view = isLinked
    ? form(encryptFormState(deps, { channelId: null, responseUrl: null }))
    : notice(askToLink(deps));
  openDialog(deps, person, triggerId, { what: 'a form', view, otherwise: FORM_FAILED });
}

export function addForm(app: App, deps: ListenerDeps): void {
  app.view(CALLBACKS.form, async ({ ack: boltAck, body }) => {
    const ack = anyAck(boltAck);
    const submission = body as unknown as FormSubmission;
    const person = personOf(submission);
    const state = openFormState(deps, submission.view.private_metadata);
    const task = taskOf(submission);
    const refuse = (why: string) => ack({ response_action: 'errors', errors: { content: why } });
    if (task === null) return refuse('Say what needs attention.');

    const creating = createTask(deps, {
      person,
      channelId: state.channelId,
      task,
      replayKey: `view:${submission.view.id}`,
    });
    try {
      const created = await withTimeLimit(deps.answerWithinMs, creating, () => 'late' as const);
      if (created === null)
        return await refuse('You are not linked with an inbox any more. Type /task link to see how.');
      if (created === 'late') {
        deps.outbox.follow('a late confirmation', async () => {
          const made = await creating;
          if (made !== null) confirm(person, state, made);
        });
        // Closed, the form would take along what was typed, should the task not be made after all.
        return await refuse('Qinbox is slow right now. Press Add again in a moment: it is added once.');
      }
      await ack();
      confirm(person, state, created);
    } catch (error) {
      await refuse(faultMessage(deps, error).text);
    }
  });

  function confirm(
    person: Person,
    { responseUrl }: FormState,
    { taskId, message, isRepeat }: CreatedTask,
  ): void {
    if (isRepeat) return;
    if (responseUrl === null) return confirmByMessage(deps, person, message, taskId);
    reply(deps, responseUrl, message);
    storeConfirmation(deps, taskId, person.teamId, responseUrl);
  }
}

function taskOf({ view: { state } }: FormSubmission): ParsedTask | null {
  const field = (id: string) => state.values[id]?.['value'];
  const content = withEmoji(field('content')?.value?.trim() ?? '');
  if (isBlank(content)) return null;
  const priority = field('priority')?.selected_option?.value;
  const tags = (field('tags')?.value ?? '')
    .split(',')
    .map((tag) => tag.trim().replace(/^#/, ''))
    .filter((tag) => tag !== '');
  const expiryMinutes = Number(field('expiry')?.selected_option?.value ?? 'x');
  return {
    content,
    ...(priority === 'high' || priority === 'low' ? { priority } : {}),
    ...filled({ tags, expiryMinutes: Number.isSafeInteger(expiryMinutes) ? expiryMinutes : null }),
  };
}
