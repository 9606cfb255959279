// The form for a new task, from the command, the global shortcut or the Home tab. One form makes one task, however often it is sent.
import type { App } from '@slack/bolt';
import type { ParsedTask } from '#core/domain/delivery.ts';
import { inTime } from './answer.ts';
import { anyAck, reply, type SlackDeps } from './deps.ts';
import { askToLink, confirmByMessage, makeTask, rememberPlace, type Made } from './make.ts';
import { placeOfUrl } from './memory.ts';
import { CALLBACKS } from './settings.ts';
import { form, notice } from './views.ts';
import { personOf, type FormSubmission, type Person } from './who.ts';

const PURPOSE = 'slack:form';

/** What a form remembers of where it was asked for. */
export interface FormState {
  channelId: string | null;
  responseUrl: string | null;
}

/** Sealed, because a `response_url` lets whoever has it write there. */
export function sealFormState({ encryption }: SlackDeps, state: FormState): string {
  return encryption.encrypt(JSON.stringify(state), PURPOSE);
}

function openFormState({ encryption }: SlackDeps, sealed: string | undefined): FormState {
  const text = encryption.decrypt(sealed ?? '', PURPOSE);
  return text === null ? { channelId: null, responseUrl: null } : (JSON.parse(text) as FormState);
}

/** Opens the form for somebody, or says how to be linked first. */
export async function offerForm(deps: SlackDeps, person: Person, triggerId: string): Promise<void> {
  const isLinked = (await deps.memory.ownerOf(person)) !== null;
  const view = isLinked
    ? form(sealFormState(deps, { channelId: null, responseUrl: null }))
    : notice(askToLink(deps));
  deps.outbox.send('a form', () => deps.api.openView(person.teamId, triggerId, view), { attempts: 1 });
}

export function addForm(app: App, deps: SlackDeps): void {
  app.view(CALLBACKS.form, async ({ ack: boltAck, body }) => {
    const ack = anyAck(boltAck);
    const submission = body as unknown as FormSubmission;
    const person = personOf(submission);
    const state = openFormState(deps, submission.view.private_metadata);
    const task = taskOf(submission);
    const refuse = (why: string) => ack({ response_action: 'errors', errors: { content: why } });
    if (task === null) return refuse('Say what needs attention.');

    const making = makeTask(deps, {
      person,
      channelId: state.channelId,
      task,
      replayKey: `view:${submission.view.id}`,
    });
    try {
      const ended = await inTime(making, deps.answerWithinMs);
      if (ended !== null && ended.value === null)
        return await refuse('You are not linked with an inbox any more. Type /task link to see how.');
      await ack();
      if (ended?.value) tell(person, state, ended.value);
      else
        deps.outbox.follow('a late confirmation', async () => {
          const made = await making;
          if (made !== null) tell(person, state, made);
        });
    } catch (error) {
      deps.log.warn({ err: error }, 'a form of Slack could not be taken in');
      await refuse('Qinbox could not keep this right now. Try again in a moment.');
    }
  });

  function tell(person: Person, { responseUrl }: FormState, { taskId, message, isRepeat }: Made): void {
    if (isRepeat) return;
    if (responseUrl === null) return confirmByMessage(deps, person, message, taskId);
    reply(deps, responseUrl, message);
    rememberPlace(deps, taskId, person.teamId, placeOfUrl(responseUrl, deps.clock.now()));
  }
}

function taskOf({ view: { state } }: FormSubmission): ParsedTask | null {
  const field = (id: string) => state.values[id]?.['value'];
  const content = field('content')?.value?.trim() ?? '';
  if (content === '') return null;
  const priority = field('priority')?.selected_option?.value;
  const tags = (field('tags')?.value ?? '')
    .split(',')
    .map((tag) => tag.trim().replace(/^#/, ''))
    .filter((tag) => tag !== '');
  const expiryMinutes = Number(field('expiry')?.selected_option?.value ?? 'x');
  return {
    content,
    ...(priority === 'high' || priority === 'low' ? { priority } : {}),
    ...(tags.length === 0 ? {} : { tags }),
    ...(Number.isSafeInteger(expiryMinutes) ? { expiryMinutes } : {}),
  };
}
