// Messages to an owner's own accounts and channels in Slack, as the connected app. Each carries its id in its
// metadata, by which it is found again (https://docs.slack.dev/messaging/message-metadata).
import { LRUCache } from 'lru-cache';
import type { AdapterContext } from '#core/ports/adapter/context.ts';
import type { Chat, ChatAnswer, ChatMessage } from '#core/ports/chat.ts';
import { createPlaces } from './records/account-links.ts';
import { createInstallations } from './records/installations.ts';
import { channelIdOf, type TiedChannel } from './records/link-records.ts';
import type { SlackConfig } from './settings.ts';
import { stepMessage } from './views/step.ts';
import { RefusedError, UnavailableError } from './web-api/outbox.ts';
import type { MessageMark } from './web-api/conversations.ts';
import type { SlackApi } from './web-api/slack-api.ts';

const MARK = 'qinbox_escalation';
const MAX_CONVERSATIONS = 1000;
const WHICH_WORKSPACE =
  'it is not known in which workspace the channel is: an administrator must tie it again, with the address that a browser shows for it';

type Context = Pick<AdapterContext<SlackConfig>, 'config' | 'store' | 'encryption' | 'clock'>;

interface Place {
  teamId: string;
  channelId: string;
}

/** For any process, also one that takes nothing in from Slack. */
export function createSlackChat(context: Context): Chat {
  const { clock, config } = context;
  const installations = createInstallations(context, config.botToken);
  const links = createPlaces(context);
  const conversations = new LRUCache<string, string>({ max: MAX_CONVERSATIONS });
  let loading: Promise<SlackApi> | undefined;

  // Loaded when it is needed: it is large.
  const loaded = (): Promise<SlackApi> =>
    (loading ??= import('./web-api/chat-api.ts').then(({ createChatApi }) =>
      createChatApi(config, installations, clock),
    ));

  /** The workspaces of channels, in their order; null where one is not known. */
  async function teamsOf(channels: readonly TiedChannel[]): Promise<(string | null)[]> {
    const only = await installations.onlyTeam();
    return Promise.all(
      channels.map(async ({ teamId = null }) =>
        teamId !== null && (await installations.tokenOf(teamId)) !== null ? teamId : only,
      ),
    );
  }

  /** Where the place is; throws RefusedError when it is none of the owner's. */
  async function reach({ ownerId, place }: Pick<ChatMessage, 'ownerId' | 'place'>): Promise<Place> {
    if (channelIdOf(place) !== null) {
      const channel = (await links.channelsOf(ownerId)).find(({ channelId }) => channelId === place);
      if (channel === undefined) throw new RefusedError('the channel is not tied to you any more');
      const [teamId = null] = await teamsOf([channel]);
      if (teamId === null) throw new RefusedError(WHICH_WORKSPACE);
      return { teamId, channelId: place };
    }
    const account = (await links.accountsOf(ownerId)).find(({ id }) => id === place);
    if (account === undefined) throw new RefusedError('your Slack account is not linked any more');
    const { teamId, userId } = account;
    const known = conversations.get(place);
    const channelId = known ?? (await (await loaded()).directMessages(teamId, userId));
    conversations.set(place, channelId);
    return { teamId, channelId };
  }

  return {
    async places(ownerId) {
      const [accounts, channels] = await Promise.all([links.accountsOf(ownerId), links.channelsOf(ownerId)]);
      const teams = await teamsOf(channels);
      return [
        ...accounts.map(({ id, userId, userName, teamId: team, teamName }) => ({
          id,
          name: `${userName ?? userId} in ${teamName ?? team}`,
        })),
        ...channels
          .filter((_, at) => teams[at] !== null)
          .map(({ channelId: id, name }) => ({ id, name: name === null ? id : `#${name}` })),
      ];
    },

    async find(message, at) {
      let isThere = false;
      const answer = await answered(async () => {
        const { teamId, channelId } = await reach(message);
        isThere = await (await loaded()).isThere(teamId, channelId, markOf(message), at);
      });
      return answer.kind === 'done' && !isThere ? { kind: 'none' } : answer;
    },

    post: (message) =>
      answered(async () => {
        const { teamId, channelId } = await reach(message);
        const shown = { ...stepMessage(message, clock.now()), metadata: markOf(message) };
        await (await loaded()).post(teamId, channelId, shown);
      }),
  };
}

const markOf = ({ id }: Pick<ChatMessage, 'id'>): MessageMark => ({
  event_type: MARK,
  event_payload: { id },
});

async function answered(work: () => Promise<void>): Promise<ChatAnswer> {
  try {
    await work();
    return { kind: 'done' };
  } catch (error) {
    if (error instanceof RefusedError) return { kind: 'refused', reason: sentence(error) };
    if (error instanceof UnavailableError)
      return { kind: 'unavailable', reason: sentence(error), waitMs: error.waitMs };
    throw error;
  }
}

function sentence({ message }: Error): string {
  return `Slack: ${message}`;
}
