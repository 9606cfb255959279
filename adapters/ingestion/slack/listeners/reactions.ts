// Reactions: one emoji adds a message to the inbox, another acknowledges its task. The message is read from
// Slack; when that fails, the task is made all the same, with the link.
import type { App } from '@slack/bolt';
import { withTimeLimit } from '#core/time-limit.ts';
import { LRUCache } from 'lru-cache';
import { refusalOf, type ListenerDeps } from './listener.ts';
import { askToLink, confirmByMessage, createTask, namesOf, ownerFor } from '../tasks/create-task.ts';
import { dedupeKeyOf, linkTo, peopleOf, taskOfMessage } from '../tasks/message-task.ts';
import { DONE_REACTION } from '../settings.ts';
import { liveTaskOf, ownersFor } from '../tasks/task-actions.ts';
import type { ParsedTask } from '#core/domain/delivery.ts';
import type { MessagePlace, Person } from '../payloads.ts';
import type { Message } from '../web-api/slack-api.ts';

/** Part of the time that Slack waits for an answer. */
const ASK_WITHIN_MS = 1500;
/** A person who is not linked gets a hint at most this often. */
const LINK_HINT_EVERY_MS = 60 * 60_000;

interface Reaction {
  user: string;
  reaction: string;
  item: { type: string; channel?: string; ts?: string };
}

export function addReactions(app: App, deps: ListenerDeps): void {
  const linkHints = new LRUCache<string, number>({ max: 10_000 });

  app.event('reaction_added', async ({ event, body }) => {
    const { user: userId, reaction, item } = event as Reaction;
    const { team_id: teamId, event_id: eventId } = body as unknown as { team_id: string; event_id: string };
    if (item.channel === undefined || item.ts === undefined) return;
    const person = { teamId, userId };
    const place = { teamId, channelId: item.channel, ts: item.ts };
    // With skin tones: `thumbsup::skin-tone-2`.
    const name = reaction.split('::')[0];
    try {
      if (name === deps.config.reaction) await add(person, place, eventId);
      else if (name === DONE_REACTION) await finish(person, place);
    } catch (error) {
      const refusal = refusalOf(error);
      // What may pass is not answered, so that Slack sends it again.
      if (refusal === null) throw error;
      tell(person, place.channelId, refusal);
    }
  });

  async function add(person: Person, place: MessagePlace, eventId: string): Promise<void> {
    const ownerId = await ownerFor(deps, person, place.channelId);
    if (ownerId === null) return hintToLink(person, place.channelId);
    if ((await liveTaskOf(deps, ownerId, place)) !== null) return;
    const made = await createTask(deps, {
      person,
      channelId: place.channelId,
      task: await read(place),
      replayKey: `event:${eventId}`,
    });
    if (made === null) return;
    if (!made.isRepeat) confirmByMessage(deps, person, made.message, made.taskId);
    // For a repeat too: this may be what failed the first time.
    await deps.records.becameTask(made.ownerId, place, made.taskId);
  }

  async function finish(person: Person, place: MessagePlace): Promise<void> {
    for (const ownerId of await ownersFor(deps, person, place.channelId)) {
      const task = await liveTaskOf(deps, ownerId, place);
      if (task !== null) return void (await deps.tasks.acknowledge(ownerId, task.id));
    }
  }

  async function read(place: MessagePlace): Promise<ParsedTask> {
    const { teamId } = place;
    const unread: ParsedTask = {
      content: 'A message in Slack: open it there to read it',
      url: linkTo(place, null),
      dedupeKey: dedupeKeyOf(place),
      metadata: { channel: place.channelId, team: teamId, ts: place.ts, permalink: linkTo(place, null) },
    };
    const asking = ask(place).catch((error: unknown) => {
      deps.log.warn({ why: (error as Error).message }, 'a message could not be read from Slack');
      return null;
    });
    return (await withTimeLimit(ASK_WITHIN_MS, asking, () => null)) ?? unread;
  }

  async function ask(place: MessagePlace): Promise<ParsedTask | null> {
    const [message, permalink] = await Promise.all([
      deps.api.messageAt(place),
      deps.api.permalinkOf(place).catch(() => null),
    ]);
    if (message === null) return null;
    const names = await namesOf(deps, place.teamId, peopleOf(message));
    const link = permalink ?? linkTo(place, null, message.thread_ts);
    return taskOfMessage(message, { ...place, channelName: null, permalink: link }, names);
  }

  function hintToLink(person: Person, channelId: string): void {
    const { teamId, userId } = person;
    const now = deps.clock.monotonic();
    const key = `${teamId}:${userId}`;
    if (now - (linkHints.get(key) ?? -LINK_HINT_EVERY_MS) < LINK_HINT_EVERY_MS) return;
    linkHints.set(key, now);
    tell(person, channelId, askToLink(deps));
  }

  function tell({ teamId, userId }: Person, channelId: string, message: Message): void {
    deps.outbox.send('a notice', () => deps.api.postEphemeral(teamId, channelId, userId, message));
  }
}
