// "Add to inbox" on a message, and "New task" from anywhere.
import type { App } from '@slack/bolt';
import { confirmation, saying, shownTask } from './blocks.ts';
import { answerThrough, anyAck, reply, type SlackDeps } from './deps.ts';
import { askToLink, makeTask, namesIn, ownerFor, rememberPlace } from './make.ts';
import { placeOfUrl } from './memory.ts';
import { linkTo, taskOfMessage } from './messages.ts';
import { offerForm } from './modal.ts';
import { CALLBACKS } from './settings.ts';
import type { Message } from './slack-api.ts';
import { liveTaskOf } from './tasks.ts';
import { personOf, type ShortcutUse } from './who.ts';

export function addShortcuts(app: App, deps: SlackDeps): void {
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
    await answerThrough(
      deps,
      anyAck(ack),
      async () => {
        await offerForm(deps, personOf(use), use.trigger_id);
        return null;
      },
      () => undefined,
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
      rememberIn(known.id);
      return confirmation(shownTask(known, deps.clock.now()), 'It was there already.');
    }
    const author = message.user === undefined ? '' : `<@${message.user}>`;
    const task = taskOfMessage(
      message,
      {
        ...place,
        channelName: channel.name ?? null,
        permalink: linkTo(place, use.team?.domain ?? null, message.thread_ts),
      },
      await namesIn(deps, teamId, author, message.text ?? ''),
    );
    const made = await makeTask(deps, {
      person,
      channelId: channel.id,
      task,
      replayKey: `trigger:${use.trigger_id}`,
    });
    if (made === null) return askToLink(deps);
    await deps.memory.becameTask(made.ownerId, place, made.taskId);
    rememberIn(made.taskId);
    return made.message;

    function rememberIn(taskId: string): void {
      if (responseUrl !== undefined)
        rememberPlace(deps, taskId, teamId, placeOfUrl(responseUrl, deps.clock.now()));
    }
  }
}
