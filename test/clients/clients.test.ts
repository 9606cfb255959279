// Published clients of other hubs, unmodified, deliver to the real program: each takes its message for
// delivered, the task says what was sent, and the same message sent again makes no second one. More:
// `npm run test:clients`.
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { installModules } from '#test/services/javascript.ts';
import { installPackages } from '#test/services/python.ts';
import { afterTwo, pairs, readerPairs, TEXT, TITLE } from './pairs.ts';
import { startSender, type Sender } from './sender.ts';
import { createStage, type Stage } from './stage.ts';

const here = import.meta.dirname;
const installed = {
  python: await installPackages('clients', join(here, 'requirements.txt')),
  javascript: await installModules('clients-js', join(here, 'javascript')),
};

let stage: Stage;
beforeAll(async () => {
  stage = await createStage();
});
afterAll(() => stage.close());

describe('a published client that shows the queue', () => {
  const found = installed.python;
  let sender: Sender;
  beforeAll(() => {
    if (!('missing' in found)) sender = startSender('python', stage, found.path);
  });
  afterAll(() => sender?.close());

  it.for(readerPairs.map((pair) => [`${pair.version} at ${pair.setting}`, pair] as const))(
    '%s',
    async ([, { client }], { skip }) => {
      if ('missing' in found) return skip(found.missing);
      const token = await stage.intake();
      const publish = () => fetch(`${stage.url}/${token}`, { method: 'POST', body: `${TITLE}\n${TEXT}` });
      await publish();
      let isAnswered = false;
      const answer = sender.send(client, token).finally(() => (isAnswered = true));
      // A stream tells what comes once it is open.
      while (client.endsWith('stream') && !isAnswered) {
        await pause(100);
        await publish();
      }
      expect(await answer).toMatchObject({ ok: true, said: expect.stringContaining(TEXT) as string });
      await stage.takeTasks();
    },
  );
});

describe.each(Object.keys(installed) as (keyof typeof installed)[])('a published client in %s', (by) => {
  const found = installed[by];
  if ('missing' in found && process.env['REQUIRE_SERVICES'] === '1') throw new Error(found.missing);
  let sender: Sender;
  beforeAll(() => {
    if (!('missing' in found)) sender = startSender(by, stage, found.path);
  });
  afterAll(() => sender?.close());

  const mine = pairs.filter((pair) => pair.by === by);
  it.for(mine.map((pair) => [`${pair.version} to ${pair.setting}`, pair] as const))(
    '%s',
    async ([, { client, preset, task }], { skip }) => {
      if ('missing' in found) return skip(found.missing);
      const token = await stage.intake(preset);
      for (const time of ['first', 'second'])
        expect(await sender.send(client, token), `${time} time`).toMatchObject({ ok: true });
      const tasks = await stage.takeTasks();
      expect(tasks).toMatchObject(task === null ? [] : [afterTwo(task)]);
      expect(tasks).toHaveLength(task === null ? 0 : 1);
    },
  );
});
