// A message for later is durable when it is answered: the program is ended as by a power cut, and the message
// comes when it is due.
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { createOpenIntake, signIn } from '#test/program/signed-in.ts';
import { startProgram, temporaryFolder } from '#test/program/program.ts';
import { waitFor } from '#test/program/wait.ts';

it('comes after a power cut, once', async () => {
  const folder = temporaryFolder('scheduled');
  onTestFinished(() => folder.remove());
  const dataDir = join(folder.path, 'data');
  const first = await startProgram({ dataDir });
  onTestFinished(() => first.kill());
  const token = await createOpenIntake(await signIn(dataDir, first.url));
  const answer = await fetch(`${first.url}/${token}`, {
    method: 'POST',
    headers: { in: '11s' },
    body: 'later',
  });
  expect(answer.status).toBe(200);
  const { time: due } = (await answer.json()) as { time: number };
  await first.kill();

  const second = await startProgram({ dataDir });
  onTestFinished(() => second.kill());
  const call = await signIn(dataDir, second.url);
  const queue = async () =>
    (await call('GET', '/tasks'))['tasks'] as { content: string; createdAt: string }[];
  await waitFor('the message', async () => (await queue()).length > 0);
  const tasks = await queue();
  expect(tasks).toMatchObject([{ content: 'later', occurrences: 1 }]);
  expect(Date.parse(tasks[0]?.createdAt ?? '')).toBeGreaterThanOrEqual(due * 1000);
}, 900_000);
