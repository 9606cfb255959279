// Escalations while the program that does their steps is killed: each step by each way, for each task that
// nobody acknowledged, and none for the others.
import { MAYBE_REPEAT } from '#core/domain/escalation-texts.ts';
import { startChat, startRelay, type Chat, type Relay } from '#test/helpers/channels.ts';
import { startReceiver } from '#test/helpers/receivers.ts';
import { commandFields, createSender, SIGNING_SECRET, TEAM } from '#test/slack/sender.ts';
import { BOT_TOKEN, startStandIn, type StandIn } from '#test/slack/stand-in.ts';
import { waitFor } from '#test/program/wait.ts';
import { signInAt, type Call, type Stage } from './webhooks-out.ts';

const PER_BATCH = 100;
const MINUTE_MS = 60_000;

/** What came by one way. */
export interface Came {
  way: string;
  /** Tasks that should have come, and did not. */
  lost: string[];
  /** Tasks that should not have come. */
  needless: string[];
  /** Those of which a repeat came that its receiver cannot tell from a second step. */
  doubled: string[];
  /** Messages that say that they may be a repeat. */
  marked: number;
  /** Messages in all, with repeats under the same id. */
  messages: number;
}

/** A message about a task; without an id where it has none. */
interface Message {
  task: string;
  id: string | null;
  /** What people read of it, where a repeat says that it may be one. */
  text?: string;
}

const nameIn = (message: string): string => /task \d+/.exec(message)?.[0] ?? message;
const saidIn = ({ texts }: Chat): Message[] => texts.map((text) => ({ task: nameIn(text), id: null, text }));
const isMarked = ({ text = '' }: Message): boolean => text.includes(MAYBE_REPEAT);

/** What the steps go through besides. */
export interface Ways {
  relay: Relay;
  slack: StandIn;
  /** What a program needs to use them. */
  env: Record<string, string>;
  close(): Promise<void>;
}

/** Slack answers so long after it has posted: most kills come between. */
const ANSWERS_AFTER_MS = 60;

export async function startWays(): Promise<Ways> {
  const [relay, slack] = await Promise.all([startRelay(), startStandIn()]);
  slack.time.answerAfterMs = ANSWERS_AFTER_MS;
  const app = { SLACK_SIGNING_SECRET: SIGNING_SECRET, SLACK_BOT_TOKEN: BOT_TOKEN };
  return {
    relay,
    slack,
    env: { ...relay.env, ...app, SLACK_API_URL: slack.apiUrl },
    close: async () => void (await Promise.all([relay.close(), slack.close()])),
  };
}

/** Links somebody in Slack with the user; answers where the app may write. */
async function linkSlack(stage: Stage, call: Call): Promise<string> {
  const { code } = await call('POST', '/slack/code');
  const { form } = createSender(stage.slackUrl(), () => Date.now());
  await form(commandFields(`link ${String(code)}`));
  const listed = await call('GET', '/escalations');
  const place = (listed['slack'] as { id: string }[]).find(({ id }) => id.startsWith(TEAM));
  if (place === undefined) throw new Error('the account was not linked');
  return place.id;
}

/** What came of it. */
export interface Steps {
  tasks: number;
  acknowledged: number;
  kills: number;
  seconds: number;
  came: Came[];
}

/**
 * Makes so many tasks that are escalated at once to a webhook, a chat, by mail and as Slack's app, and to a
 * chat some minutes later; every second one is acknowledged before that. What does the steps is killed so
 * many times meanwhile.
 */
export async function escalateUnderKills(
  stage: Stage,
  { relay, slack }: Ways,
  { tasks: many, kills, minutes }: { tasks: number; kills: number; minutes: number },
): Promise<Steps> {
  const began = performance.now();
  const lastStepMs = minutes * MINUTE_MS;
  const [receiver, chat, later] = await Promise.all([startReceiver(), startChat(), startChat()]);
  try {
    const call = await signInAt(stage);
    const place = await linkSlack(stage, call);
    const hook = await call('POST', '/webhooks', {
      name: 'w',
      url: receiver.url,
      events: ['task.expired'],
    });
    const { id: webhookId } = hook['webhook'] as { id: string };
    await call('POST', '/escalations', {
      name: 'all',
      intake: null,
      priorities: ['high'],
      steps: [
        { afterMinutes: 0, kind: 'webhook', to: webhookId },
        { afterMinutes: 0, kind: 'slack', to: chat.url },
        { afterMinutes: 0, kind: 'mail', to: 'oncall@example.com' },
        { afterMinutes: 0, kind: 'slack', to: place },
        { afterMinutes: minutes, kind: 'slack', to: later.url },
      ],
    });
    const ways = () => [
      { way: 'webhook', came: receiver.received.map(({ id, task }) => ({ task: task.content, id })) },
      { way: 'chat', came: saidIn(chat) },
      {
        way: 'mail',
        came: relay.taken.map(({ subject, messageId, text }) => ({
          task: nameIn(subject),
          id: messageId,
          text,
        })),
      },
      { way: 'chat, as the app', came: slack.posts.map(({ text }) => ({ task: nameIn(text), id: null })) },
      { way: 'chat, later', came: saidIn(later) },
    ];
    const counted = () => ways().reduce((sum, { came }) => sum + came.length, 0);
    const names: string[] = [];
    const overdue: string[] = [];
    const load = (async () => {
      for (let from = 0; from < many; from += PER_BATCH) {
        const count = Math.min(PER_BATCH, many - from);
        const wanted = Array.from({ length: count }, (_, n) => `task ${from + n}`);
        const tasks = wanted.map((content) => ({ content, priority: 'high' }));
        const made = await call('POST', '/tasks/batch', { tasks });
        const ids = (made['tasks'] as { id: string }[]).map(({ id }) => id);
        names.push(...wanted);
        overdue.push(...wanted.filter((_, n) => n % 2 === 1));
        // Once they were told at once, and before they would be told later.
        const distinct = () =>
          ways()
            .slice(0, 4)
            .map(({ came }) => new Set(came.map(({ task }) => task)).size);
        await waitFor(
          'the first steps',
          () => distinct().every((size) => size >= names.length),
          lastStepMs * 0.8,
        );
        await call('POST', '/tasks/acknowledge', { ids: ids.filter((_, n) => n % 2 === 0) });
      }
    })();
    let killed = 0;
    // The last in the middle of what comes later.
    for (; killed < kills - 1; killed++) {
      const [before, posted] = [counted(), slack.posts.length];
      await waitFor('more messages', () => counted() > before + 20 && slack.posts.length > posted + 5);
      await stage.kill();
    }
    await load;
    await waitFor('the last step to begin', () => later.texts.length > 3, 2 * lastStepMs);
    await stage.kill();
    killed++;
    await waitFor(
      'the last step of all',
      () => new Set(later.texts.map(nameIn)).size >= overdue.length,
      3 * lastStepMs,
    ).catch(() => null);
    // What should not come would come now.
    await new Promise((resolve) => setTimeout(resolve, 3000));
    const came = ways().map(({ way, came: all }, index) => cameOf(way, all, index === 4 ? overdue : names));
    const seconds = Math.round((performance.now() - began) / 1000);
    return { tasks: names.length, acknowledged: names.length - overdue.length, kills: killed, seconds, came };
  } finally {
    for (const one of [receiver, chat, later]) await one.close();
  }
}

function cameOf(way: string, all: readonly Message[], wanted: readonly string[]): Came {
  const byTask = Map.groupBy(all, ({ task }) => task);
  return {
    way,
    lost: wanted.filter((name) => !byTask.has(name)),
    needless: [...byTask.keys()].filter((name) => !wanted.includes(name)),
    doubled: [...byTask].flatMap(([task, messages]) => {
      const ids = new Set(messages.map(({ id }) => id));
      const isForPeople = messages.some(({ id, text }) => id === null || text !== undefined);
      const unmarked = messages.filter((message) => !isMarked(message));
      return ids.size > 1 || (isForPeople && unmarked.length > 1) ? [task] : [];
    }),
    marked: all.filter(isMarked).length,
    messages: all.length,
  };
}

/** The line that a long run prints. */
export function describeSteps({ tasks, acknowledged, kills, seconds, came }: Steps): string {
  const lines = came.map(
    ({ way, messages, lost, needless, doubled, marked }) =>
      `  ${way}: ${messages} messages, ${marked} marked as what may be a repeat, ${lost.length} lost, ` +
      `${needless.length} needless, ${doubled.length} doubled`,
  );
  const heading = `${tasks} tasks, ${acknowledged} of them acknowledged, ${kills} kills, in ${seconds} s`;
  return [heading, ...lines, ''].join('\n');
}
