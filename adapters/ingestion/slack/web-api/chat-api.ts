// Slack's Web API without Bolt's receivers.
import { webApi } from '@slack/bolt';
import type { Clock } from '#core/ports/clock.ts';
import { clientOptionsFor, type SlackConfig } from '../settings.ts';
import { createSlackApi, type SlackApi, type Tokens } from './slack-api.ts';

/** What fails is on record with the step. */
const quiet = (): undefined => undefined;
const logger: NonNullable<webApi.WebClientOptions['logger']> = {
  debug: quiet,
  info: quiet,
  warn: quiet,
  error: quiet,
  setLevel: quiet,
  setName: quiet,
  getLevel: () => webApi.LogLevel.ERROR,
};

export function createChatApi(config: SlackConfig, tokens: Tokens, clock: Clock): SlackApi {
  const { slackApiUrl } = clientOptionsFor(config);
  return createSlackApi(createQuietClient(config), tokens, slackApiUrl, clock);
}

/** Logs nothing: who calls it says what failed. */
export function createQuietClient(config: SlackConfig): webApi.WebClient {
  return new webApi.WebClient(undefined, { ...clientOptionsFor(config), logger });
}
