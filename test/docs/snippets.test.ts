// The examples of the API documentation do what they say, run word for word against the real server; and the
// page can show all that the server says of itself.
import { execFile } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
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
import { installPackages } from '#test/services/python.ts';
import { findProgram } from '#test/services/service.ts';
import { CHANGE_MUCH } from '../../web/src/features/api-docs/model/access.ts';
import { codeOf, LANGUAGES, type Language } from '../../web/src/features/api-docs/model/code.ts';
import { tokensOf } from '../../web/src/features/api-docs/model/colour.ts';
import {
  fieldsOf,
  groupsOf,
  limitHeadersOf,
  operationOf,
  parameterFields,
  statusesOf,
  type ApiDocument,
  type Operation,
} from '../../web/src/features/api-docs/model/document.ts';
import { draftOf, requestOf } from '../../web/src/features/api-docs/model/request.ts';
import { EXAMPLE_TASK, snippets, type Snippet } from '../../web/src/features/api-docs/model/snippets.ts';
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
  httpie: (code) => ['bash', ['-euc', code]],
  javascript: (code) => [process.execPath, ['--input-type=module', '-e', code]],
  python: (code) => ['python3', ['-c', code]],
  go: (code) => ['go', ['run', programFile('example', code)]],
};

/** A file of Go in a folder of its own. */
function programFile(name: string, code: string): string {
  const place = join(folder.path, 'go', name);
  mkdirSync(place, { recursive: true });
  writeFileSync(join(place, 'main.go'), `${code}\n`);
  return join(place, 'main.go');
}

async function run(language: Language, code: string, more: Record<string, string> = {}): Promise<string> {
  const [command, args] = RUNNERS[language](code);
  const env = plainEnvironment();
  const path = more['PATH'] === undefined ? {} : { PATH: `${more['PATH']}:${env['PATH']}` };
  const { stdout } = await promisify(execFile)(command, args, { env: { ...env, ...more, ...path } });
  return stdout.trim();
}

/** What a language needs besides its own program. Without it, the test is skipped. */
async function needsOf(language: Language, skip: (why: string) => never): Promise<Record<string, string>> {
  const isGoMissing = language === 'go' && findProgram('go') === null;
  const found =
    language === 'httpie'
      ? await installPackages('httpie', join(import.meta.dirname, 'requirements.txt'))
      : isGoMissing
        ? { missing: 'there is no Go' }
        : null;
  if (found === null) return {};
  if ('path' in found) return { PATH: join(found.path, 'bin'), PYTHONPATH: found.path };
  if (process.env['REQUIRE_SERVICES'] === '1') throw new Error(found.missing);
  return skip(found.missing);
}

function example(id: Snippet['id'], language: Language, taskId = 'task_id'): string {
  const found = snippets({ baseUrl, apiKey: key, taskId }).find((snippet) => snippet.id === id);
  return found?.code[language] ?? '';
}

async function ask<T>(path: string): Promise<T> {
  const answer = await fetch(baseUrl + path, { headers: { 'x-api-key': key } });
  return (await answer.json()) as T;
}

test.for(LANGUAGES)('the examples in %s create, list and acknowledge a task', async (language, { skip }) => {
  const needs = await needsOf(language, skip);
  const created = await run(language, example('create', language), needs);
  const id = /task_\w+/.exec(created)?.[0] ?? '';
  const { expiryMinutes, ...expected } = EXAMPLE_TASK;
  const { task } = await ask<{ task: Task }>(`/tasks/${id}`);
  expect(task).toMatchObject(expected);
  expect(Date.parse(task.expiresAt) - Date.parse(task.createdAt)).toBe(expiryMinutes * 60_000);
  const listed = await run(language, example('list', language), needs);
  expect(listed).toContain(id);
  expect(listed).toContain(EXAMPLE_TASK.content);
  expect(await run(language, example('acknowledge', language, id), needs)).toContain(
    'Task acknowledged successfully',
  );
  expect(await ask(`/tasks/${id}`)).toMatchObject({ success: false, code: 'NOT_FOUND' });
});

/** What a shell, a text or a program could take for its own. */
const HARD_TEXTS = [`it's "50%" \`off\` for $5! \\ #1 + ümläut\n\tand more\\`, '@file'];

test.for(LANGUAGES)(
  'a request of any texts is sent as it is by its code in %s',
  async (language, { skip }) => {
    const needs = await needsOf(language, skip);
    const document = await ask<ApiDocument>('/openapi.json');
    const creation = operationOf(document, 'createTask') as Operation;
    const listing = operationOf(document, 'listTasks') as Operation;
    for (const content of HARD_TEXTS.slice(0, ['curl', 'httpie'].includes(language) ? 2 : 1)) {
      const task = { content, tags: ['a b', 'c'], pinned: true, metadata: { none: null, list: [1, [true]] } };
      const draft = draftOf(creation, document, '');
      const created = requestOf(
        creation,
        {
          ...draft,
          body: JSON.stringify(task),
          values: { 'header idempotency-key': `=${language} "${HARD_TEXTS.indexOf(content)}"` },
        },
        program.url,
        [['x-api-key', key]],
      );
      expect(created.errors).toEqual({});
      const answer = await run(language, codeOf(language, created.request), needs);
      const id = /task_\w+/.exec(answer)?.[0] ?? '';
      expect(await ask(`/tasks/${id}`)).toMatchObject({ task: { ...task, content: content.trim() } });
      const found = requestOf(
        listing,
        { ...draft, values: { 'query q': content.trim(), 'query tag': 'a b, c' }, contentType: '' },
        program.url,
        [['x-api-key', key]],
      );
      expect(await run(language, codeOf(language, found.request), needs)).toContain(id);
    }
  },
);

test('each call has a form that is complete but for ids, its code in Go is as gofmt writes it, and no colour loses a letter', async ({
  skip,
}) => {
  const document = await ask<ApiDocument>('/openapi.json');
  const operations = groupsOf(document).flatMap((group) => group.operations);
  const files: string[] = [];
  for (const operation of operations) {
    const draft = draftOf(operation, document, 'task_1');
    const { request, errors } = requestOf(operation, draft, program.url, [['x-api-key', key]]);
    expect(Object.keys(errors).filter((field) => !field.startsWith('path '))).toEqual([]);
    for (const language of LANGUAGES) {
      const code = codeOf(language, request);
      expect(
        tokensOf(code, language)
          .map(({ text }) => text)
          .join(''),
      ).toBe(code);
      if (language === 'go') files.push(programFile(operation.operationId, code));
    }
  }
  const ids = operations.map(({ operationId }) => operationId);
  for (const id of CHANGE_MUCH) expect(ids).toContain(id);
  if (findProgram('gofmt') === null) return skip('there is no gofmt');
  const { stdout } = await promisify(execFile)('gofmt', ['-l', ...files]);
  expect(stdout).toBe('');
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
