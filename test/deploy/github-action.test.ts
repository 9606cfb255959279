// The action, run as a runner does it, against the real program: a task when a job fails, closed when it is
// green again; the key is never printed; it fails as its input says.
import { readFileSync, writeFileSync } from 'node:fs';
import { createServer, request } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, expect, it, onTestFinished } from 'vitest';
import { freePort, plainEnvironment, root } from '#test/program/program.ts';
import { runToEnd, startRecipeStage, type Ended, type RecipeStage } from './recipe-stage.ts';
import { readYaml, tools } from './tools.ts';

const folder = join(root, 'deploy', 'github-action');

interface Metadata {
  inputs: Record<string, { default?: string; required?: boolean }>;
  outputs: Record<string, object>;
  runs: { using: string; main: string };
}
interface Workflow {
  jobs: { nightly: { steps: { with?: Record<string, string> }[] } };
}

let stage: RecipeStage;
let metadata: Metadata;
beforeAll(async () => {
  if ('missing' in tools) return;
  [metadata] = readYaml(join(folder, 'action.yml')) as [Metadata];
  stage = await startRecipeStage();
});
afterAll(() => stage?.close());
beforeEach(({ skip }) => {
  if ('missing' in tools) skip(tools.missing);
});

/** What one run printed, and the outputs that it set. */
interface Acted extends Ended {
  outputs: Record<string, string>;
}

let runs = 0;

/** Runs the action as a runner would, with the defaults of its inputs. */
async function act(inputs: Record<string, string>, context: Record<string, string> = {}): Promise<Acted> {
  for (const name of Object.keys(inputs)) expect(Object.keys(metadata.inputs)).toContain(name);
  const defaults = Object.entries(metadata.inputs).map(([name, input]) => [name, input.default ?? '']);
  const all: Record<string, string> = {
    ...Object.fromEntries(defaults),
    url: stage.program.url,
    key: stage.key,
    ...inputs,
  };
  const output = join(stage.folder, `output-${runs++}`);
  writeFileSync(output, '');
  const env = {
    ...plainEnvironment(),
    GITHUB_SERVER_URL: 'https://github.com',
    GITHUB_REPOSITORY: 'ann/shop',
    GITHUB_WORKFLOW: 'Nightly',
    GITHUB_JOB: 'build',
    GITHUB_REF_NAME: 'main',
    GITHUB_RUN_ID: '7',
    GITHUB_SHA: 'abc',
    GITHUB_ACTOR: 'ann',
    GITHUB_OUTPUT: output,
    ...context,
    ...Object.fromEntries(Object.entries(all).map(([name, value]) => [`INPUT_${name.toUpperCase()}`, value])),
  };
  const ended = await runToEnd(process.execPath, [join(folder, metadata.runs.main)], env);
  expect(ended.out + ended.err).not.toContain(stage.key);
  const lines = readFileSync(output, 'utf8').split('\n').filter(Boolean);
  const outputs = Object.fromEntries(lines.map((line) => line.split('=') as [string, string]));
  for (const name of Object.keys(outputs)) expect(Object.keys(metadata.outputs)).toContain(name);
  return { ...ended, outputs };
}

/** A server before the real one that answers the first requests with a status. */
async function refuseFirst(times: number, status: number): Promise<string> {
  let left = times;
  const server = createServer((incoming, outgoing) => {
    if (left-- > 0) {
      incoming.resume();
      outgoing.writeHead(status, { 'retry-after': '0' }).end();
      return;
    }
    const { method, url, headers } = incoming;
    const target = { host: '127.0.0.1', port: stage.program.port, method, path: url, headers };
    incoming.pipe(
      request(target, (answer) => {
        outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
        answer.pipe(outgoing);
      }),
    );
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    server.close();
    server.closeAllConnections();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

it('makes a task of a failed job, counts the next failure on it with the latest run, and closes it when green', async () => {
  const first = await act({ priority: 'high', tags: 'ci, nightly' });
  expect(first).toMatchObject({ code: 0, err: '' });
  const second = await act({ priority: 'high' }, { GITHUB_RUN_ID: '8' });
  expect(second.out).toContain('counted 2 times');
  expect(second.outputs).toEqual(first.outputs);
  const [task, ...more] = await stage.tasks();
  expect(more).toEqual([]);
  expect(task).toMatchObject({
    id: first.outputs['task-id'],
    content: 'build of Nightly failed on main of ann/shop\nhttps://github.com/ann/shop/actions/runs/8',
    priority: 'high',
    tags: ['ci', 'nightly'],
    source: 'github',
    occurrences: 2,
    metadata: { url: 'https://github.com/ann/shop/actions/runs/7', commit: 'abc' },
  });
  const minutes = (Date.parse(task?.expiresAt ?? '') - Date.parse(task?.lastOccurredAt ?? '')) / 60_000;
  expect(Math.round(minutes)).toBe(1440);
  const other = await act({ resolve: 'true' }, { GITHUB_REF_NAME: 'branch' });
  expect(other.outputs).toEqual({ resolved: '0' });
  expect((await act({ resolve: 'true' })).outputs).toEqual({ resolved: '1' });
  expect(await stage.tasks()).toEqual([]);
});

it('takes text, key and time of the workflow as they are, whatever characters they have', async () => {
  const content = '100 % of "tests" failed\n::error::no command';
  const made = await act({ content, 'dedupe-key': 'a "key"', expires: '3d', 'fail-on-error': 'true' });
  expect(made.code).toBe(0);
  const [task] = await stage.tasks();
  expect(task).toMatchObject({ content, dedupeKey: 'a "key"' });
  expect(Date.parse(task?.expiresAt ?? '') - Date.parse(task?.createdAt ?? '')).toBe(3 * 86_400_000);
  expect((await act({ resolve: 'true', 'dedupe-key': 'a "key"' })).outputs).toEqual({ resolved: '1' });
});

it.each([
  ['a wrong key', { key: 'qi_wrong' }, /answered 401 UNAUTHORIZED: /],
  ['a wrong priority', { priority: 'urgent' }, /answered 400 VALIDATION_ERROR: .*priority/],
  ['a wrong time', { expires: 'soon' }, /expires must be minutes/],
  ['a time that is too long', { expires: '8d' }, /at most 7d/],
  ['no key', { key: '' }, /key is empty/],
  ['no address', { url: 'inbox' }, /url must be the address/],
  ['a user name in the address', { url: 'https://a:b@inbox.example.com' }, /no user name/],
  ['a wrong switch', { resolve: 'yes' }, /resolve must be true or false/],
])('says what is wrong with %s, as a warning or as a failure', async (_, inputs, said) => {
  const soft = await act(inputs);
  expect([soft.code, soft.out.split('\n').length]).toEqual([0, 2]);
  expect(soft.out).toMatch(/^::warning title=Qinbox::/);
  expect(soft.out).toMatch(said);
  const hard = await act({ ...inputs, 'fail-on-error': 'true' });
  expect(hard.code).toBe(1);
  expect(hard.out).toMatch(/^::error title=Qinbox::/);
  expect(await stage.tasks()).toEqual([]);
});

it('tries again while the server cannot do it, and makes one task', async () => {
  const made = await act({ url: await refuseFirst(2, 503) });
  expect(made.out).toMatch(/^task_\w+ made\n$/);
  expect(await stage.tasks()).toHaveLength(1);
  const gone = await act({ url: await refuseFirst(3, 502), resolve: 'true' });
  expect(gone.out).toMatch(/answered 502, not as Qinbox does/);
  await act({ resolve: 'true' });
});

it('says that nobody answers', async () => {
  const gone = await act({ url: `http://127.0.0.1:${await freePort()}` });
  expect(gone).toMatchObject({
    code: 0,
    out: expect.stringMatching(/does not answer \(ECONNREFUSED\)/) as string,
  });
});

it('has an example that names its inputs alone, and all that are needed', () => {
  const [example] = readYaml(join(folder, 'example.yml')) as [Workflow];
  const given = Object.keys(example.jobs.nightly.steps.at(-1)?.with ?? {});
  expect(Object.keys(metadata.inputs)).toEqual(expect.arrayContaining(given));
  for (const [name, { required }] of Object.entries(metadata.inputs))
    if (required === true) expect(given).toContain(name);
  expect(metadata.runs.using).toBe('node24');
});
