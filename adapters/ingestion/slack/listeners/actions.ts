// The buttons of confirmations and lists. The message then shows the task's new state.
import type { App } from '@slack/bolt';
import { confirmation, GONE, shownTask } from '../views/blocks.ts';
import { answerThrough, anyAck, replace, type ListenerDeps } from './listener.ts';
import { listOf } from './commands.ts';
import { askToLink, storeConfirmation } from '../tasks/create-task.ts';
import type { Message } from '../web-api/slack-api.ts';
import { actionOf, actOnTaskFor } from '../tasks/task-actions.ts';
import { personOf, type ButtonPress } from '../payloads.ts';

export function addActions(app: App, deps: ListenerDeps): void {
  // Links open in the browser; Slack still expects an acknowledgement.
  app.action(/^open\./, async ({ ack }) => anyAck(ack)());

  app.action(/^(confirm|list)\./, async ({ ack, body }) => {
    const press = body as unknown as ButtonPress;
    const url = press.response_url;
    await answerThrough(
      deps,
      anyAck(ack),
      () => act(press),
      (message) => {
        if (url !== undefined) replace(deps, url, message);
      },
    );
  });

  async function act(press: ButtonPress): Promise<Message> {
    const person = personOf(press);
    const [pressed] = press.actions;
    const action = pressed === undefined ? null : actionOf(pressed);
    if (action === null) return GONE;
    if (pressed?.action_id.startsWith('list.') === true) {
      const ownerId = await deps.records.ownerOf(person);
      if (ownerId === null) return askToLink(deps);
      await actOnTaskFor(deps, person, null, action);
      return listOf(deps, ownerId);
    }
    const channelId = press.container?.channel_id ?? press.channel?.id ?? null;
    const task = await actOnTaskFor(deps, person, channelId, action);
    // The newest URL expires last, and replaces the message whose button was pressed.
    if (press.container?.is_ephemeral === true && press.response_url !== undefined)
      storeConfirmation(deps, action.id, person.teamId, press.response_url);
    return task === null ? GONE : confirmation(shownTask(task, deps.clock.now()));
  }
}
