// Every command of docs/cli/*.txt is run in a real terminal against a real server, and prints what stands
// there. After a change that is meant, twice, since the page is made of files that the first run writes:
// `npx vitest run --project program test/cli/transcripts.test.ts -u`.
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { groups } from '#cli/main.ts';
import type { Task } from '#core/contract/index.ts';
import { root, temporaryFolder } from '#test/program/program.ts';
import { CLI, ONE_FILE, startStage, type Stage } from './stage.ts';
import { replay, Samples } from './transcript.ts';

const FOLDER = join(root, 'docs', 'cli');
const URL_SAMPLE = 'https://inbox.example.com';
const names = readdirSync(FOLDER)
  .filter((name) => name.endsWith('.txt'))
  .map((name) => basename(name, '.txt'));

let stage: Stage;
beforeAll(async () => {
  stage = await startStage('transcripts', { RATE_LIMIT_PER_MINUTE: '1000' });
});
afterAll(() => stage?.close());

async function ask<T>(method: string, path: string, body?: unknown): Promise<T> {
  const answer = await fetch(`${stage.program.url}/api/v1${path}`, {
    method,
    headers: { 'x-api-key': stage.key, 'content-type': 'application/json' },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  return (await answer.json()) as T;
}

/** All tasks, in the order in which they were made. */
async function tasks(): Promise<string[]> {
  const lists = await Promise.all(
    ['', '?snoozed=true'].map((query) => ask<{ tasks: Task[] }>('GET', `/tasks${query}`)),
  );
  return lists.flatMap((list) => list.tasks.map(({ id }) => id)).toSorted();
}

/** A folder with the `qinbox` command, a key in a file, and nothing else. */
function ownFolder(name: string): { home: string; path: string } {
  const folder = temporaryFolder('transcript');
  onTestFinished(folder.remove);
  const home = join(folder.path, 'me');
  const path = join(folder.path, 'bin');
  for (const each of [home, path]) mkdirSync(each);
  writeFileSync(join(home, 'key.txt'), `${stage.key}\n`);
  // Everybody's commands as who downloads them has them; the operator's come with the server.
  const file = name === 'server' ? CLI : ONE_FILE;
  const script = `#!/bin/sh\nexec '${process.execPath}' --disable-warning=ExperimentalWarning '${file}' "$@"\n`;
  writeFileSync(join(path, 'qinbox'), script, { mode: 0o755 });
  return { home, path };
}

/** What the environment of a transcript says besides. */
function settings(name: string, home: string): Record<string, string> {
  if (name === 'login') return {};
  if (name !== 'server') return { QINBOX_URL: stage.program.url, QINBOX_KEY: stage.key };
  return { DATA_DIR: join(home, 'data'), PORT: String(stage.program.port), PUBLIC_URL: URL_SAMPLE };
}

async function run(name: string): Promise<string> {
  const { home, path } = ownFolder(name);
  const samples = new Samples();
  samples.add(stage.program.url, URL_SAMPLE);
  samples.add(`port ${stage.program.port}`, 'port 3000');
  samples.add(home, '/home/me');
  const left = await tasks();
  if (left.length > 0) await ask('POST', '/tasks/acknowledge', { ids: left });
  return replay(
    readFileSync(join(FOLDER, `${name}.txt`), 'utf8'),
    {
      cwd: home,
      env: {
        ...stage.env,
        ...settings(name, home),
        HOME: home,
        NO_COLOR: '1',
        PATH: `${path}:${stage.env['PATH']}`,
      },
    },
    samples,
    async (printed) => {
      for (const id of await tasks()) samples.addRandom(id, 'task_');
      for (const [id] of printed.matchAll(/\bkey_[0-9A-Za-z]{22}\b/g)) samples.addRandom(id, 'key_');
    },
  );
}

/** The headings of the page, in its order. */
const TITLES: Record<string, string> = {
  login: 'Logging in and out',
  add: 'Making tasks',
  ls: 'Listing',
  ack: 'Acknowledging',
  pin: 'Pinning',
  snooze: 'Snoozing',
  watch: 'Watching',
  run: 'Running commands',
  inbox: 'The inbox in the terminal',
  help: 'Help',
  server: "The operator's commands",
};

function page(): string {
  const parts = Object.entries(TITLES).map(
    ([name, title]) =>
      `## ${title}\n\n\`\`\`console\n${readFileSync(join(FOLDER, `${name}.txt`), 'utf8')}\`\`\`\n`,
  );
  return `# Every command, as it prints

Each of these is run in a test, in a real terminal against a real server. \`[exit 1]\` is an exit code other than 0, \`^C\` is Ctrl-C, and \`other$\` is
meanwhile in another terminal. How they are used is in [the command line](../cli.md).

${parts.join('\n')}`;
}

describe('the transcripts', () => {
  it('have every command but the server itself', async () => {
    const lines = names.flatMap((name) => readFileSync(join(FOLDER, `${name}.txt`), 'utf8').split('\n'));
    const typed = lines.filter((line) => /^(?:other)?\$ /.test(line)).join('\n');
    const all = (await groups()).flatMap(([, commands]) => commands.map((command) => command.name));
    expect(names.toSorted()).toEqual(Object.keys(TITLES).toSorted());
    expect(all.length).toBeGreaterThan(15);
    expect(all.filter((name) => !typed.includes(`qinbox ${name}`))).toEqual(['serve']);
  });

  it.each(names)('%s.txt is what a terminal shows', async (name) => {
    await expect(await run(name)).toMatchFileSnapshot(join(FOLDER, `${name}.txt`));
  });

  it('are on one page of the documents', async () => {
    await expect(page()).toMatchFileSnapshot(join(FOLDER, 'commands.md'));
  });
});
