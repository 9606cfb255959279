// The buttons of confirmations and lists. The message then shows the task's new state.
import type { App } from '@slack/bolt';
import type { Task } from '#core/domain/task.ts';
import { confirmation, GONE, shownTask } from '../views/blocks.ts';
import { answerThrough, anyAck, replace, reply, type ListenerDeps } from './listener.ts';
import { listOf } from './commands.ts';
import { askToLink, storeConfirmation } from '../tasks/create-task.ts';
import type { Message } from '../web-api/slack-api.ts';
import { placeKey } from '../records/records.ts';
import { actionOf, actOnTask, ownersFor, type TaskAction } from '../tasks/task-actions.ts';
import { personOf, type ButtonPress } from '../payloads.ts';

export function addActions(app: App, deps: ListenerDeps): void {
  // Links open in the browser; Slack still expects an acknowledgement.
  app.action(/^open\./, async ({ ack }) => anyAck(ack)());

  app.action(/^(confirm|list)\./, async ({ ack, body }) => {
    const press = body as unknown as ButtonPress;
    const url = press.response_url;
    // A fault must not take the place of the message: its buttons are for the next try.
    await answerThrough(
      deps,
      anyAck(ack),
      () => act(press),
      (message) => {
        if (url !== undefined) reply(deps, url, message);
      },
    );
  });

  /** Shows the new state in the message. Answers what is for the person alone, or null. */
  async function act(press: ButtonPress): Promise<Message | null> {
    const { container, response_url: url } = press;
    const person = personOf(press);
    const [pressed] = press.actions;
    const action = pressed === undefined ? null : actionOf(pressed);
    if (action === null) return GONE;
    const show = (message: Message): null => {
      if (url !== undefined) replace(deps, url, message);
      return null;
    };
    if (pressed?.action_id.startsWith('list.') === true) {
      const ownerId = await deps.records.ownerOf(person);
      if (ownerId === null) return askToLink(deps);
      await actOnTask(deps, ownerId, action);
      return show(await listOf(deps, ownerId));
    }
    const channelId = container?.channel_id ?? press.channel?.id ?? null;
    const owners = await ownersFor(deps, person, channelId);
    if (owners.length === 0) return askToLink(deps);
    const isOnlyTheirs = container?.is_ephemeral === true || channelId?.startsWith('D') === true;
    const task = await actIn(owners, action, placeIn(press));
    // Others who see the message may have the task.
    if (task === null) return isOnlyTheirs ? show(GONE) : GONE;
    // The newest URL expires last, and replaces the message whose button was pressed.
    if (container?.is_ephemeral === true && url !== undefined)
      storeConfirmation(deps, action.id, person.teamId, url);
    return show(confirmation(shownTask(task, deps.clock.now())));
  }

  /** Carries the action out in the first of these queues that has the task; null when none has. */
  async function actIn(owners: readonly string[], action: TaskAction, place: string): Promise<Task | null> {
    deps.acting.set(action.id, place);
    try {
      for (const ownerId of owners) {
        const task = await actOnTask(deps, ownerId, action);
        if (task !== null) return task;
      }
      return null;
    } finally {
      deps.acting.delete(action.id);
    }
  }
}

/** The place of the message whose button was pressed; see {@link placeKey}. */
function placeIn({ container, channel }: ButtonPress): string {
  const { is_ephemeral: isEphemeral = false, message_ts: ts = '', channel_id: inChannel } = container ?? {};
  return placeKey(isEphemeral ? null : { channelId: inChannel ?? channel?.id ?? '', ts });
}
