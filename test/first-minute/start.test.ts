// What a start says and leaves behind. How long it takes is measured by clone.long.ts (`npm run test:clone`).
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { freePort, root, temporaryFolder } from '#test/program/program.ts';
import { timeStart } from './start.ts';

const start = [join(root, 'node_modules', '.bin', 'node'), join(root, 'scripts', 'start.mjs')] as const;
/** The first one may have to build the web app. */
const PATIENCE_MS = 300_000;

describe('a second start', () => {
  let folder: ReturnType<typeof temporaryFolder>;
  let env: { PORT: string; DATA_DIR: string };
  /** The token of the link that the first start printed. */
  let link: string;

  beforeAll(async () => {
    folder = temporaryFolder('start');
    env = { PORT: String(await freePort()), DATA_DIR: join(folder.path, 'data') };
    const first = await timeStart(start, root, env, PATIENCE_MS);
    link = /\/inbox#signin=(\S+)/.exec(first.output())?.[1] ?? '';
    await first.interrupt();
  });
  afterAll(() => folder.remove());

  test('serves, says where it listens, where the data is and how to sign in, and ends cleanly at Ctrl-C', async () => {
    const second = await timeStart(start, root, env, PATIENCE_MS);
    const output = second.output();
    const code = await second.interrupt();
    expect(output).toContain(`http://localhost:${env.PORT}`);
    expect(output).toContain(env.DATA_DIR);
    expect(output).toMatch(/\/inbox#signin=\S+/);
    expect(output).not.toContain('building');
    expect(code).toBe(0);
  });

  test('prints no link once somebody has signed in, makes none, and says how to get one', async () => {
    const second = await timeStart(start, root, env, PATIENCE_MS);
    const answer = await fetch(`http://127.0.0.1:${env.PORT}/api/v1/auth/link`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ token: link }),
    });
    await second.interrupt();
    expect(answer.status).toBe(200);
    const linksBefore = countLinks(env.DATA_DIR);
    // As npm sets it for its scripts.
    const underNpm = { ...env, npm_lifecycle_event: 'start' };
    const third = await timeStart(start, root, underNpm, PATIENCE_MS);
    const output = third.output();
    await third.interrupt();
    expect(output).not.toContain('signin=');
    expect(output).toContain('npm run qinbox -- signin-link');
    expect(countLinks(env.DATA_DIR)).toBe(linksBefore);
  });
});

function countLinks(dataDir: string): number {
  const db = new DatabaseSync(join(dataDir, 'qinbox.db'), { readOnly: true });
  try {
    return Number(db.prepare('SELECT count(*) AS links FROM signin_links').get()?.['links']);
  } finally {
    db.close();
  }
}
