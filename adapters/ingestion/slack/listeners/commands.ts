// `/task …`: a task, the form, the list, help, linking. Answered in the response, which needs no Slack API.
import type { App } from '@slack/bolt';
import { LRUCache } from 'lru-cache';
import { isBlank } from '#core/domain/blank.ts';
import { filled } from '#core/domain/filled.ts';
import { codeKey } from '../records/link-records.ts';
import { FORM_FAILED, help, list, LIST_SIZE, saying, shownPage } from '../views/blocks.ts';
import { answer, anyAck, reply, type ListenerDeps } from './listener.ts';
import { askToLink, createTask, namesOf, ownerFor, storeConfirmation } from '../tasks/create-task.ts';
import { encryptFormState } from './task-form.ts';
import type { Message } from '../web-api/slack-api.ts';
import { parseTaskText, peopleIn } from '../tasks/text.ts';
import { form } from '../views/views.ts';
import type { Command, Person } from '../payloads.ts';

const CODE_TRIES = 10;
const CODE_TRIES_MS = 10 * 60_000;

export function addCommands(app: App, deps: ListenerDeps): void {
  const tries = new LRUCache<string, { count: number; until: number }>({ max: 10_000 });

  app.command(/^\//, async ({ ack, body }) => {
    const command = body as unknown as Command;
    await answer(deps, anyAck(ack), command.response_url, () => carryOut(command));
  });

  function carryOut(command: Command): Promise<Message | null> {
    const text = command.text.trim();
    const [word = '', ...rest] = text.split(/\s+/);
    const is = (name: string, words = 0) => word.toLowerCase() === name && rest.length === words;
    if (isBlank(text)) return openForm(command);
    if (is('help')) return Promise.resolve(help(command.command, deps.config.reaction));
    if (is('list')) return showList(command);
    if (is('unlink')) return unlink(command);
    if (is('link')) return Promise.resolve(askToLink(deps));
    // A task may begin with "link" as well; a code is recognised by its form.
    if (is('link', 1) || (word.toLowerCase() === 'link' && codeKey(rest.join('')) !== null))
      return link(command, rest.join(''));
    return add(command);
  }

  async function add(command: Command): Promise<Message> {
    const person = personIn(command);
    const { channel_name: channel } = command;
    const names = await namesOf(deps, person.teamId, peopleIn(command.text));
    const task = parseTaskText(command.text, names);
    if (task === null)
      return saying('There is nothing to do in that. Say what needs attention: `/task buy milk #home`');
    const made = await createTask(deps, {
      person,
      channelId: command.channel_id,
      task: { ...task, metadata: filled({ author: command.user_name ?? command.user_id, channel }) },
      replayKey: `trigger:${command.trigger_id}`,
    });
    if (made === null) return askToLink(deps);
    storeConfirmation(deps, made.taskId, person.teamId, command.response_url);
    return made.message;
  }

  async function openForm(command: Command): Promise<Message | null> {
    const person = personIn(command);
    if ((await ownerFor(deps, person, command.channel_id)) === null) return askToLink(deps);
    const view = form(
      encryptFormState(deps, { channelId: command.channel_id, responseUrl: command.response_url }),
    );
    deps.outbox.send('a form', () => deps.api.openView(person.teamId, command.trigger_id, view), {
      // Slack allows 3 seconds for opening a form; a later attempt is refused.
      attempts: 1,
      otherwise: () => reply(deps, command.response_url, FORM_FAILED),
    });
    return null;
  }

  async function showList(command: Command): Promise<Message> {
    const ownerId = await deps.records.ownerOf(personIn(command));
    return ownerId === null ? askToLink(deps) : listOf(deps, ownerId);
  }

  async function link(command: Command, code: string): Promise<Message> {
    const person = personIn(command);
    const key = `${person.teamId}:${person.userId}`;
    const now = deps.clock.now();
    const known = tries.get(key);
    const tried =
      known === undefined || known.until <= now ? { count: 0, until: now + CODE_TRIES_MS } : known;
    tries.set(key, { ...tried, count: tried.count + 1 });
    if (tried.count >= CODE_TRIES)
      return saying('That were too many tries. Wait ten minutes, then get a new code.');
    const isLinked = await deps.records.link(code, {
      ...person,
      teamName: command.team_domain ?? null,
      userName: command.user_name ?? null,
      request: command.trigger_id,
    });
    if (!isLinked)
      return saying(
        'This code is not good: it was mistyped, used already, or is older than ten minutes. Get another in the Settings of Qinbox.',
      );
    tries.delete(key);
    return saying('You are linked. Whatever you add here lands in your inbox: try `/task buy milk #home`');
  }

  async function unlink(command: Command): Promise<Message> {
    return (await deps.records.unlink(personIn(command)))
      ? saying('You are no longer linked. Your tasks stay in your inbox.')
      : saying('You were not linked.');
  }
}

/** The list of an owner's queue. */
export async function listOf({ tasks, clock, settings }: ListenerDeps, ownerId: string): Promise<Message> {
  const page = await tasks.list(ownerId, { limit: LIST_SIZE, offset: 0 });
  return list(shownPage(page, clock.now()), settings.publicUrl);
}

function personIn({ team_id: teamId, user_id: userId }: Command): Person {
  return { teamId, userId };
}
