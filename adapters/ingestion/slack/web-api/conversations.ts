// Finds direct messages with a person, and a message that the app has sent.
import type { App } from '@slack/bolt';
import { RefusedError } from './outbox.ts';

/** Names a message, for programs. */
export interface MessageMark {
  event_type: string;
  event_payload: { id: string };
}

type Call = <T>(teamId: string, make: (token: string) => Promise<T>) => Promise<T>;

/** How far clocks may be apart, as for Slack's signatures. */
const MAX_SKEW_MS = 5 * 60_000;
const MESSAGES_OF_PAGE = 200;
const MAX_PAGES = 20;

export function createConversations({ conversations }: App['client'], call: Call) {
  return {
    /** The direct messages with a person, by their channel's id. */
    async directMessages(teamId: string, userId: string): Promise<string> {
      const { channel } = await call(teamId, (token) => conversations.open({ token, users: userId }));
      return channel?.id ?? userId;
    },

    /** Whether a message with this mark came to a channel, sent at about `at`, in milliseconds. */
    async isThere(teamId: string, channel: string, mark: MessageMark, at: number): Promise<boolean> {
      const oldest = String((at - MAX_SKEW_MS) / 1000);
      const latest = String((at + MAX_SKEW_MS) / 1000);
      let cursor = '';
      for (let page = 0; page < MAX_PAGES; page++) {
        const answer = await call(teamId, (token) =>
          conversations.history({
            token,
            channel,
            oldest,
            latest,
            limit: MESSAGES_OF_PAGE,
            include_all_metadata: true,
            ...(cursor === '' ? {} : { cursor }),
          }),
        );
        if (answer.messages?.some(({ metadata }) => isMarked(metadata, mark)) === true) return true;
        cursor = answer.response_metadata?.next_cursor ?? '';
        if (cursor === '') return false;
      }
      throw new RefusedError(`too many messages came to ${channel} to find one`);
    },
  };
}

function isMarked(metadata: unknown, { event_type: type, event_payload: { id } }: MessageMark): boolean {
  const found = (metadata ?? {}) as Partial<MessageMark>;
  return found.event_type === type && found.event_payload?.id === id;
}
