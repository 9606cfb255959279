// Socket Mode through the whole program: the same flows over a real WebSocket, also after Slack has moved or
// dropped it.
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { buildFixture, type Fixture } from '#test/helpers/app.ts';
import { waitFor } from '#test/program/wait.ts';
import { commandFields, press, submission, TEAM } from '#test/slack/sender.ts';
import { APP_TOKEN, BOT_TOKEN, startStandIn, type StandIn } from '#test/slack/stand-in.ts';

let slack: StandIn;
let app: Fixture;
beforeAll(async () => {
  slack = await startStandIn();
  app = await buildFixture({
    SLACK_APP_TOKEN: APP_TOKEN,
    SLACK_BOT_TOKEN: BOT_TOKEN,
    SLACK_API_URL: slack.apiUrl,
  });
});
afterAll(async () => {
  await app.close();
  await slack.close();
});

const state = () => app.parts.adapters.running.get('slack')?.state?.();
const contents = async () => {
  const page = await app.parts.inbox.list({
    ownerId: (await app.user()).id,
    filter: {},
    limit: 50,
    offset: 0,
  });
  return page.tasks.map(({ content }) => content);
};
const command = (text: string, fields: Record<string, string> = {}) =>
  slack.deliver('slash_commands', commandFields(text, { response_url: slack.responseUrl(), ...fields }));

it('handles commands, buttons, forms and events over the socket, each once', async () => {
  const { accessToken: token } = await app.session();
  expect((await app.call('GET', '/slack', { token })).body).toMatchObject({
    slack: { configured: true, mode: 'socket', installUrl: null },
  });
  const { body } = await app.call('POST', '/slack/code', { token });
  expect(await command(`link ${body['code'] as string}`)).toMatchObject({
    text: expect.stringContaining('You are linked'),
  });

  const again = { trigger_id: randomUUID() };
  const [first, second] = [await command('buy milk !high', again), await command('buy milk !high', again)];
  expect(first).toEqual(second);
  expect(first).toMatchObject({ text: 'In your inbox: buy milk' });
  expect(await contents()).toEqual(['buy milk']);
  const value = /"value":"(task_[^"]+)"/.exec(JSON.stringify(first))?.[1] ?? '';
  await slack.deliver(
    'interactive',
    press({ action_id: 'confirm.acknowledge', value }, { response_url: slack.responseUrl() }),
  );
  expect(await contents()).toEqual([]);
  await slack.waitForCall('respond');

  expect(await slack.deliver('interactive', submission('V1', '', { content: { value: ' ' } }))).toMatchObject(
    { response_action: 'errors' },
  );
  expect(
    await slack.deliver('interactive', submission('V1', '', { content: { value: 'from a form' } })),
  ).toEqual({});
  slack.messages.set('C0GENERAL:1.5', { ts: '1.5', text: 'from a message' });
  const event = {
    type: 'reaction_added',
    user: 'U0ANN',
    reaction: 'inbox_tray',
    item: { type: 'message', channel: 'C0GENERAL', ts: '1.5' },
  };
  const envelope = {
    type: 'event_callback',
    team_id: TEAM,
    event_id: 'Ev1',
    authorizations: [{ team_id: TEAM }],
    event,
  };
  for (let times = 0; times < 2; times++) await slack.deliver('events_api', envelope);
  expect(await contents()).toEqual(['from a message', 'from a form']);
});

it('opens the socket again when Slack moves it or drops it, and closes it at the end', async () => {
  const reopened = async (end: () => void) => {
    await waitFor('a socket', () => slack.sockets.size === 1 && state()?.ok === true);
    const [before] = slack.sockets;
    end();
    await waitFor(
      'another socket',
      () => slack.sockets.size === 1 && !slack.sockets.has(before as never) && state()?.ok === true,
    );
  };
  await reopened(() => slack.askToLeave());
  await reopened(() => [...slack.sockets].forEach((ws) => ws.terminate()));
  expect(await command('still here')).toMatchObject({ text: 'In your inbox: still here' });
  expect(app.logged().includes('canary')).toBe(false);
  await app.parts.adapters.running.get('slack')?.stop();
  await waitFor('the socket to be closed', () => slack.sockets.size === 0);
});

it('says in its state why it is not connected, and keeps the program running', async () => {
  const other = await buildFixture({
    SLACK_APP_TOKEN: 'xapp-wrong',
    SLACK_BOT_TOKEN: BOT_TOKEN,
    SLACK_API_URL: slack.apiUrl,
  });
  const running = other.parts.adapters.running.get('slack');
  await waitFor('the reason', () => running?.state?.()?.detail.includes('invalid_auth'));
  expect((await other.call('GET', '/health')).status).toBe(200);
  await other.close();
});
