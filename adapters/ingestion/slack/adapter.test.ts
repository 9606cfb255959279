// Half a setup of Slack stops the start with the variable that is missing; none at all loads nothing of
// Slack.
import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { readConfig } from '#core/config.ts';
import type { AdapterContext } from '#core/ports/adapter/context.ts';
import adapter from './adapter.ts';
import { CALLBACKS, SCOPES, type SlackConfig } from './settings.ts';

const configOf = (env: Record<string, string>) =>
  readConfig(env).adapterConfig(adapter) as unknown as SlackConfig;

it('is off without any of its variables', () => {
  expect(adapter.isOn?.(configOf({ SLACK_REACTION: 'eyes' }))).toBe(false);
  expect(adapter.isOn?.(configOf({ SLACK_BOT_TOKEN: 'xoxb-1' }))).toBe(true);
});

it.each([
  [{ SLACK_BOT_TOKEN: 'xoxb-1' }, /^SLACK_SIGNING_SECRET must be set/],
  [{ SLACK_SIGNING_SECRET: 'long enough' }, /^SLACK_BOT_TOKEN must be set/],
  [{ SLACK_SIGNING_SECRET: 'long enough', SLACK_CLIENT_ID: '1.2' }, /^SLACK_CLIENT_SECRET must be set/],
  [{ SLACK_APP_TOKEN: 'xapp-1', SLACK_CLIENT_SECRET: 'long enough' }, /^SLACK_CLIENT_ID must be set/],
])('%j stops the start', async (env, message) => {
  const context = { config: configOf(env) } as AdapterContext<SlackConfig>;
  await expect(async () => adapter.start(context)).rejects.toThrow(message);
});

it.each([
  [{ SLACK_BOT_TOKEN: 'xoxp-user' }, /^SLACK_BOT_TOKEN must be the bot token/],
  [{ SLACK_APP_TOKEN: 'xoxb-bot' }, /^SLACK_APP_TOKEN must be an app-level token/],
  [{ SLACK_API_URL: 'slack' }, /^SLACK_API_URL must be the address/],
  [{ SLACK_REACTION: ':eyes:' }, /^SLACK_REACTION must be the name/],
])('%j is refused', (env, message) => {
  expect(() => configOf(env as Record<string, string>)).toThrow(message);
});

it('has a manifest in its documentation that asks for the same scopes and names the same shortcuts', () => {
  const text = readFileSync(new URL('../../../docs/adapters/slack.md', import.meta.url), 'utf8');
  const manifest = /```yaml\n([^`]+)```/.exec(text)?.[1] ?? '';
  const scopes = /bot:\n((?:\s+- \S+\n)+)/.exec(manifest)?.[1] ?? '';
  expect([...scopes.matchAll(/- (\S+)/g)].map(([, scope]) => scope)).toEqual([...SCOPES]);
  for (const id of [CALLBACKS.addMessage, CALLBACKS.newTask])
    expect(manifest).toContain(`callback_id: ${id}\n`);
});
