// The chat that steps of escalations are written to, where one is set up.
import { createSlackChat } from '#adapters/ingestion/slack/chat.ts';
import { SLACK } from '#adapters/ingestion/slack/records/link-records.ts';
import type { SlackConfig } from '#adapters/ingestion/slack/settings.ts';
import type { Chat } from '#core/ports/chat.ts';
import type { Context } from './context.ts';

type Parts = Pick<Context, 'adapters' | 'storage' | 'encryption' | 'clock'>;

/** Null where Slack is not set up. */
export function createChat({ adapters, storage, encryption, clock }: Parts): Chat | null {
  const slack = adapters.on.find(({ adapter }) => adapter.id === SLACK);
  if (slack === undefined) return null;
  // The adapter's own schema has made it.
  const config = slack.config as unknown as SlackConfig;
  return createSlackChat({ config, store: storage.adapterData, encryption, clock });
}
