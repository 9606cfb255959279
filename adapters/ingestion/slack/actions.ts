// The buttons of confirmations and lists: done at once, and the message shows how the task stands then.
import type { App } from '@slack/bolt';
import { confirmation, GONE, shownTask } from './blocks.ts';
import { answerThrough, anyAck, replace, type SlackDeps } from './deps.ts';
import { listOf } from './commands.ts';
import { askToLink, rememberPlace } from './make.ts';
import { placeOfUrl } from './memory.ts';
import type { Message } from './slack-api.ts';
import { DEEDS, doFor, type Deed } from './tasks.ts';
import { personOf, type ButtonPress } from './who.ts';

export function addActions(app: App, deps: SlackDeps): void {
  // Links open by themselves; Slack still wants to hear that it was heard.
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
    const { action_id: actionId = '', value: id = '' } = press.actions[0] ?? {};
    const [where, name] = actionId.split('.');
    const deed = DEEDS.find((each) => each === name);
    const channelId = press.container?.channel_id ?? press.channel?.id ?? null;
    if (deed === undefined) return GONE;
    if (where === 'list') {
      const ownerId = await deps.memory.ownerOf(person);
      if (ownerId === null) return askToLink(deps);
      await doFor(deps, person, null, deed, id);
      return listOf(deps, ownerId);
    }
    return change(press, channelId, deed, id);
  }

  async function change(
    press: ButtonPress,
    channelId: string | null,
    deed: Deed,
    id: string,
  ): Promise<Message> {
    const person = personOf(press);
    const task = await doFor(deps, person, channelId, deed, id);
    // The newest URL lives longest, and replaces the very message that was pressed.
    if (press.container?.is_ephemeral === true && press.response_url !== undefined)
      rememberPlace(deps, id, person.teamId, placeOfUrl(press.response_url, deps.clock.now()));
    return task === null ? GONE : confirmation(shownTask(task, deps.clock.now()));
  }
}
