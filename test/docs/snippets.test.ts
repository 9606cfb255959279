// The examples of the API documentation do what they say, run word for word against the real server; and the
// page can show all that the server says of itself.
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Task } from '#core/contract/index.ts';
import {
  createKey,
  plainEnvironment,
  startProgram,
  temporaryFolder,
  type Program,
} from '#test/program/program.ts';
import {
  fieldsOf,
  groupsOf,
  limitHeadersOf,
  parameterFields,
  statusesOf,
  type ApiDocument,
} from '../../web/src/features/api-docs/model/document.ts';
import {
  EXAMPLE_TASK,
  LANGUAGES,
  snippets,
  type Language,
  type Snippet,
} from '../../web/src/features/api-docs/model/snippets.ts';
import { inLines, quickCurl } from '../../web/src/lib/quick-curl.ts';

const folder = temporaryFolder('snippets');
let program: Program;
let key: string;
let baseUrl: string;

beforeAll(async () => {
  key = createKey(folder.path);
  program = await startProgram({ dataDir: folder.path });
  baseUrl = `${program.url}/api/v1`;
});
afterAll(async () => {
  await program?.stop();
  folder.remove();
});

const RUNNERS: Record<Language, (code: string) => [string, string[]]> = {
  curl: (code) => ['bash', ['-euc', code]],
  javascript: (code) => [process.execPath, ['--input-type=module', '-e', code]],
  python: (code) => ['python3', ['-c', code]],
};

async function run(language: Language, code: string): Promise<string> {
  const [command, args] = RUNNERS[language](code);
  const { stdout } = await promisify(execFile)(command, args, { env: plainEnvironment() });
  return stdout.trim();
}

function example(id: Snippet['id'], language: Language, taskId = 'task_id'): string {
  const found = snippets({ baseUrl, apiKey: key, taskId }).find((snippet) => snippet.id === id);
  return found?.code[language] ?? '';
}

async function ask<T>(path: string): Promise<T> {
  const answer = await fetch(baseUrl + path, { headers: { 'x-api-key': key } });
  return (await answer.json()) as T;
}

test.each(LANGUAGES)('the examples in %s create, list and acknowledge a task', async (language) => {
  const created = await run(language, example('create', language));
  const id = /task_\w+/.exec(created)?.[0] ?? '';
  const { expiryMinutes, ...expected } = EXAMPLE_TASK;
  const { task } = await ask<{ task: Task }>(`/tasks/${id}`);
  expect(task).toMatchObject(expected);
  expect(Date.parse(task.expiresAt) - Date.parse(task.createdAt)).toBe(expiryMinutes * 60_000);
  const listed = await run(language, example('list', language));
  expect(listed).toContain(id);
  expect(listed).toContain(EXAMPLE_TASK.content);
  expect(await run(language, example('acknowledge', language, id))).toContain(
    'Task acknowledged successfully',
  );
  expect(await ask(`/tasks/${id}`)).toMatchObject({ success: false, code: 'NOT_FOUND' });
});

test('the one-line command creates a task, also as it is shown in lines', async () => {
  const command = quickCurl(baseUrl, 'backup failed', key);
  expect(inLines(command).split('\n')).toHaveLength(3);
  for (const each of [command, inLines(command)])
    expect(JSON.parse(await run('curl', each))).toMatchObject({ task: { content: 'backup failed' } });
});

test('the page knows every call of the server, every type in it, and what it says of limits and errors', async () => {
  const document = await ask<ApiDocument>('/openapi.json');
  const groups = groupsOf(document);
  const shown = groups.flatMap(({ operations }) => operations);
  expect(shown).toHaveLength(Object.values(document.paths).flatMap((path) => Object.keys(path)).length);
  const bodies = shown.flatMap(({ requestBody, responses }) =>
    [requestBody, ...Object.values(responses)].flatMap((each) => Object.values(each?.content ?? {})),
  );
  const fields = [
    ...shown.flatMap(({ parameters = [] }) => parameterFields(parameters)),
    ...bodies.flatMap(({ schema }) => fieldsOf(schema)),
    ...Object.values(document.components.schemas).flatMap((schema) => fieldsOf(schema)),
  ];
  expect(fields.length).toBeGreaterThan(100);
  const shapes = new Set(Object.keys(document.components.schemas));
  for (const { type } of fields) if (type.shape !== null) expect(shapes).toContain(type.shape);
  expect(statusesOf(document).slice(1)).toContainEqual({
    status: 401,
    description: 'Unauthorized - Invalid or missing API key',
  });
  expect(limitHeadersOf(document).map(({ name }) => name)).toEqual(
    expect.arrayContaining(['X-RateLimit-Limit', 'X-RateLimit-Remaining', 'X-RateLimit-Reset']),
  );
});
