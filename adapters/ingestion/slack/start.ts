// Composes the Slack adapter on Bolt. Loaded only where Slack is set up.
import { App, SocketModeReceiver, type LogLevel } from '@slack/bolt';
import type { RunningAdapter } from '#core/ports/adapter/adapter.ts';
import type { AdapterContext } from '#core/ports/adapter/context.ts';
import type { Log } from '#core/ports/log.ts';
import { addActions } from './listeners/actions.ts';
import { createDispatcher } from './receive/dispatcher.ts';
import { addCommands } from './listeners/commands.ts';
import type { ListenerDeps } from './listeners/listener.ts';
import { addHome } from './listeners/home.ts';
import { createSlackRecords } from './records/records.ts';
import { addForm } from './listeners/task-form.ts';
import { addInstallation, followRemovals } from './oauth.ts';
import { createOutbox } from './web-api/outbox.ts';
import { addReactions } from './listeners/reactions.ts';
import { createHttpReceiver, EVENTS_PATH } from './receive/http-receiver.ts';
import { ANSWER_WITHIN_MS, clientOptionsFor, type SlackConfig } from './settings.ts';
import { addShortcuts } from './listeners/shortcuts.ts';
import { createQuietClient } from './web-api/chat-api.ts';
import { createSlackApi, takesToken } from './web-api/slack-api.ts';
import { createTokenCheck } from './web-api/token-check.ts';
import { createSocketReceiver, type SocketReceiver } from './receive/socket-receiver.ts';
import { followTasks } from './listeners/task-updates.ts';

export async function startSlack(context: AdapterContext<SlackConfig>): Promise<RunningAdapter> {
  const { config, log, clock, http, settings } = context;
  const { appToken, botToken, signingSecret, clientId, clientSecret } = config;
  const logger = boltLogger(log);
  const dispatcher = createDispatcher(log);
  const outbox = createOutbox(log);
  const records = createSlackRecords(context, botToken);
  const clientOptions = clientOptionsFor(config);
  const address = `${settings.publicUrl}${EVENTS_PATH}`;

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
      { dispatcher, log, clock },
    );
  const receiver =
    socket ?? createHttpReceiver({ http, clock, log, signingSecret: signingSecret ?? '', dispatcher });

  const app = new App({
    receiver,
    logger,
    clientOptions,
    // Tokens are looked up where they are needed: the rest works without one.
    authorize: () => Promise.resolve({}),
    convoStore: false,
    ignoreSelf: false,
  });
  // The dispatcher logs the fault, once.
  app.error(async (error) => {
    throw error;
  });

  const tokens = {
    ...records,
    noteToken(teamId: string, isGood: boolean) {
      if (!isGood) check.ask();
      return records.noteToken(teamId, isGood);
    },
  };
  const isTaken = botToken === null ? null : () => takesToken(createQuietClient(config), botToken);
  const check = createTokenCheck(isTaken, { clock, log, outbox });
  const deps: ListenerDeps = {
    ...context,
    records,
    outbox,
    api: createSlackApi(app.client, tokens, clientOptions.slackApiUrl, clock),
    answerWithinMs: ANSWER_WITHIN_MS,
    acting: new Map(),
  };
  addCommands(app, deps);
  addForm(app, deps);
  addShortcuts(app, deps);
  addActions(app, deps);
  addHome(app, deps);
  addReactions(app, deps);
  followRemovals(app, records);
  if (clientId !== null && clientSecret !== null)
    addInstallation({
      http,
      settings,
      log,
      clock,
      records,
      client: app.client,
      config: { ...config, clientId, clientSecret },
    });
  const unwatch = followTasks(deps);
  await app.start();
  check.ask();

  let stopping: Promise<void> | undefined;
  async function stop(): Promise<void> {
    unwatch();
    // Requests in flight are still answered through the socket.
    await dispatcher.stop();
    await app.stop();
    await dispatcher.stop();
    await outbox.stop();
  }
  return {
    state: () => check.state(socket?.state() ?? { ok: true, detail: `Slack sends to ${address}` }),
    stop: () => (stopping ??= stop()),
  };
}

/** Bolt's messages in our log. Its debug lines contain payloads and answers, so they are left out. */
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
