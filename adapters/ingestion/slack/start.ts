// Puts the Slack adapter together on Bolt. Loaded only where Slack is set up.
import { App, SocketModeReceiver, type LogLevel } from '@slack/bolt';
import type { RunningAdapter } from '#core/ports/adapter/adapter.ts';
import type { AdapterContext } from '#core/ports/adapter/context.ts';
import type { Log } from '#core/ports/log.ts';
import { addActions } from './actions.ts';
import { createIntake } from './answer.ts';
import { addCommands } from './commands.ts';
import type { SlackDeps } from './deps.ts';
import { addHome } from './home.ts';
import { createMemory } from './memory.ts';
import { addForm } from './modal.ts';
import { addInstallation, followRemovals } from './oauth.ts';
import { createOutbox } from './outbox.ts';
import { addReactions } from './reactions.ts';
import { createHttpReceiver, EVENTS_PATH } from './receiver.ts';
import { ANSWER_WITHIN_MS, type SlackConfig } from './settings.ts';
import { addShortcuts } from './shortcuts.ts';
import { createSlackApi } from './slack-api.ts';
import { createSocketReceiver, type SocketReceiver } from './socket.ts';
import { followTasks } from './updates.ts';

const API_TIMEOUT_MS = 10_000;

export async function startSlack(context: AdapterContext<SlackConfig>): Promise<RunningAdapter> {
  const { config, log, clock, http, settings } = context;
  const { appToken, signingSecret, clientId, clientSecret } = config;
  const apiUrl = config.apiUrl.replace(/\/*$/, '/');
  const logger = boltLogger(log);
  const intake = createIntake(log);
  const outbox = createOutbox(log);
  const memory = createMemory(context, config.botToken);
  // Tried again by the outbox, which knows when to stop.
  const clientOptions = {
    slackApiUrl: apiUrl,
    timeout: API_TIMEOUT_MS,
    retryConfig: { retries: 0 },
    rejectRateLimitedCalls: true,
    allowAbsoluteUrls: false,
  };

  let socket: SocketReceiver | undefined;
  if (appToken !== null)
    socket = createSocketReceiver(
      new SocketModeReceiver({
        appToken,
        logger,
        autoReconnectEnabled: false,
        installerOptions: { clientOptions },
        processEventErrorHandler: () => Promise.resolve(false),
      }),
      { intake, log, clock },
    );
  const receiver =
    socket ?? createHttpReceiver({ http, clock, log, signingSecret: signingSecret ?? '', intake });

  const app = new App({
    receiver,
    logger,
    clientOptions,
    // Tokens are looked up where they are needed: what needs none works without.
    authorize: () => Promise.resolve({}),
    convoStore: false,
    ignoreSelf: false,
  });
  // Whoever handed it over says what is wrong, once.
  app.error(async (error) => {
    throw error;
  });

  const deps: SlackDeps = {
    ...context,
    memory,
    outbox,
    api: createSlackApi(app.client, memory, apiUrl, clock),
    answerWithinMs: ANSWER_WITHIN_MS,
    acting: new Set(),
  };
  addCommands(app, deps);
  addForm(app, deps);
  addShortcuts(app, deps);
  addActions(app, deps);
  addHome(app, deps);
  addReactions(app, deps);
  followRemovals(app, memory);
  if (clientId !== null && clientSecret !== null)
    addInstallation({
      http,
      settings,
      log,
      clock,
      memory,
      client: app.client,
      config: { ...config, clientId, clientSecret },
    });
  const unwatch = followTasks(deps);
  await app.start();

  let stopping: Promise<void> | undefined;
  async function stop(): Promise<void> {
    unwatch();
    // What is under way is still answered through the socket.
    await intake.stop();
    await app.stop();
    await intake.stop();
    await outbox.stop();
  }
  return {
    state: () =>
      socket?.state() ?? { ok: true, detail: `Slack sends to ${settings.publicUrl}${EVENTS_PATH}` },
    stop: () => (stopping ??= stop()),
  };
}

/** Bolt's own words in our log. Its debug lines carry payloads and answers, so they are left out. */
function boltLogger(log: Log) {
  const text = (messages: unknown[]) =>
    messages.map((message) => (message instanceof Error ? message.message : String(message))).join(' ');
  return {
    debug: () => undefined,
    info: (...messages: unknown[]) => log.debug({}, text(messages)),
    warn: (...messages: unknown[]) => log.warn({}, text(messages)),
    error: (...messages: unknown[]) => log.warn({}, text(messages)),
    setLevel: () => undefined,
    getLevel: () => 'info' as LogLevel,
    setName: () => undefined,
  };
}
