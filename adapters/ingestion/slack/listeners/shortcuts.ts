// "Add to inbox" on a message, and "New task" from anywhere.
import type { App } from '@slack/bolt';
import { confirmation, saying, shownTask } from '../views/blocks.ts';
import { answerThrough, anyAck, reply, showNotice, type ListenerDeps } from './listener.ts';
import { askToLink, createTask, namesOf, ownerFor, storeConfirmation } from '../tasks/create-task.ts';
import { linkTo, peopleOf, taskOfMessage } from '../tasks/message-task.ts';
import { offerForm } from './task-form.ts';
import { CALLBACKS } from '../settings.ts';
import type { Message } from '../web-api/slack-api.ts';
import { liveTaskOf } from '../tasks/task-actions.ts';
import { personOf, type ShortcutUse } from '../payloads.ts';

export function addShortcuts(app: App, deps: ListenerDeps): void {
  app.shortcut({ type: 'message_action', callback_id: CALLBACKS.addMessage }, async ({ ack, body }) => {
    const use = body as unknown as ShortcutUse;
    await answerThrough(
      deps,
      anyAck(ack),
      () => addMessage(use),
      (message) => {
        if (use.response_url !== undefined) reply(deps, use.response_url, message);
      },
    );
  });

  app.shortcut({ type: 'shortcut', callback_id: CALLBACKS.newTask }, async ({ ack, body }) => {
    const use = body as unknown as ShortcutUse;
    const person = personOf(use);
    await answerThrough(
      deps,
      anyAck(ack),
      async () => {
        await offerForm(deps, person, use.trigger_id);
        return null;
      },
      (message) => showNotice(deps, person, use.trigger_id, message),
    );
  });

  async function addMessage(use: ShortcutUse): Promise<Message> {
    const { channel, message, response_url: responseUrl } = use;
    if (channel === undefined || message === undefined)
      return saying('There is no message in that which could be added.');
    const person = personOf(use);
    const { teamId } = person;
    const place = { teamId, channelId: channel.id, ts: message.ts };
    const ownerId = await ownerFor(deps, person, channel.id);
    if (ownerId === null) return askToLink(deps);
    const known = await liveTaskOf(deps, ownerId, place);
    if (known !== null) {
      storeIn(known.id);
      return confirmation(shownTask(known, deps.clock.now()), 'It was there already.');
    }
    const permalink = linkTo(place, use.team?.domain ?? null, message.thread_ts);
    const names = await namesOf(deps, teamId, peopleOf(message));
    const task = taskOfMessage(message, { ...place, channelName: channel.name ?? null, permalink }, names);
    const made = await createTask(deps, {
      person,
      channelId: channel.id,
      task,
      replayKey: `trigger:${use.trigger_id}`,
    });
    if (made === null) return askToLink(deps);
    // The task is there, whatever becomes of this.
    await deps.records.becameTask(made.ownerId, place, made.taskId).catch((error: unknown) => {
      deps.log.warn({ err: error }, 'it was not stored which task a message became');
    });
    storeIn(made.taskId);
    return made.message;

    function storeIn(taskId: string): void {
      if (responseUrl !== undefined) storeConfirmation(deps, taskId, teamId, responseUrl);
    }
  }
}
