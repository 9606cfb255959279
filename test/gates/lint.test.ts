// The import rules hold only as long as the linter bites: each rule is broken on purpose in a copy of the
// configuration.
import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

const root = resolve(import.meta.dirname, '../..');
const IMPORTS = 'eslint(no-restricted-imports)';

/** File, its text, and the rule that must refuse it; null where it must pass. */
const plants: [path: string, text: string, rule: string | null][] = [
  ['core/contract/plant.ts', `export { randomUUID } from 'node:crypto';`, IMPORTS],
  ['core/contract/plant-domain.ts', `export type { Task } from '#core/domain/task.ts';`, IMPORTS],
  ['core/contract/plant-up.ts', `export type { Task } from '../domain/task.ts';`, IMPORTS],
  ['core/domain/plant.ts', `export { default } from 'fastify';`, IMPORTS],
  ['core/domain/plant-port.ts', `export type { Clock } from '../ports/clock.ts';`, IMPORTS],
  [
    'core/domain/plant-type.ts',
    `export type App = import('fastify').FastifyInstance;`,
    'typescript(consistent-type-imports)',
  ],
  ['core/text/plant.ts', `export type { Task } from '../domain/task.ts';`, IMPORTS],
  ['core/text/plant-vendor.ts', `export { default } from 'fastify';`, IMPORTS],
  ['core/ports/plant.ts', `export type { DatabaseSync } from 'node:sqlite';`, IMPORTS],
  ['core/ports/plant-service.ts', `export * from '#core/services/submissions.ts';`, IMPORTS],
  ['core/services/plant.ts', `export * from '#adapters/sqlite/storage.ts';`, IMPORTS],
  ['core/services/plant-vendor.ts', `export { default } from 'ioredis';`, IMPORTS],
  ['core/services/plant-detour.ts', `export * from '../../api/app.ts';`, IMPORTS],
  ['core/services/plant-dynamic.ts', `export const app = await import('#api/app.ts');`, IMPORTS],
  ['core/plant.ts', `export * from '#api/app.ts';`, IMPORTS],
  ['adapters/plant/a.ts', `export * from '#adapters/sqlite/storage.ts';`, IMPORTS],
  ['adapters/plant/b.ts', `export * from '../sqlite/storage.ts';`, IMPORTS],
  ['adapters/ingestion/plant/c.ts', `export * from '../../memory/queue.ts';`, IMPORTS],
  ['adapters/plant/d.ts', `export type { FastifyInstance } from 'fastify';`, IMPORTS],
  ['adapters/plant/e.ts', `export * from '#api/app.ts';`, IMPORTS],
  ['adapters/ingestion/plant/deep/f.ts', `export * from '../../webhook/adapter.ts';`, IMPORTS],
  ['adapters/ingestion/smtp/parse/plant.ts', `export * from '../../webhook/adapter.ts';`, IMPORTS],
  ['adapters/ingestion/smtp/server/plant.ts', `export { default } from 'ioredis';`, IMPORTS],
  ['adapters/redis/queue/plant.ts', `export * from '../../memory/queue.ts';`, IMPORTS],
  ['adapters/sqlite/tasks/plant.ts', `export * from '../../mongodb/storage.ts';`, IMPORTS],
  ['adapters/mongodb/work/plant.ts', `export * from '#adapters/sqlite/storage.ts';`, IMPORTS],
  ['adapters/jwt/plant.ts', `export { default } from 'ioredis';`, IMPORTS],
  ['adapters/plant/g.ts', `export { SignJWT } from 'jose';`, IMPORTS],
  ['api/plant.ts', `export * from '../web/src/app.tsx';`, IMPORTS],
  ['api/plant-adapter.ts', `export * from '#adapters/sqlite/storage.ts';`, IMPORTS],
  ['api/plant-test.ts', `export * from '#test/contract/task-store.ts';`, IMPORTS],
  ['cli/plant.ts', `export { default } from 'react';`, IMPORTS],
  [
    'web/src/plant.ts',
    `import { routes } from '#core/contract/index.ts';\nexport const all = routes;`,
    IMPORTS,
  ],
  ['web/src/plant-export.ts', `export { Task } from '#core/contract/tasks.ts';`, IMPORTS],
  ['web/src/plant-star.ts', `export * from '#core/contract/index.ts';`, IMPORTS],
  ['web/src/plant-domain.ts', `export type { Task } from '#core/domain/task.ts';`, IMPORTS],
  ['web/src/plant-text.ts', `export * from '#core/text/html-to-text.ts';`, IMPORTS],
  ['web/src/plant-text-path.ts', `export * from '../../core/text/trim-link.ts';`, IMPORTS],
  ['web/src/plant-path.ts', `export type { Task } from '../../core/domain/task.ts';`, IMPORTS],
  [
    'web/src/plant-adapter.ts',
    `import { slackRoutes } from '#adapters/ingestion/slack/contract.ts';\nexport const n = slackRoutes;`,
    IMPORTS,
  ],
  [
    'web/src/plant-adapter-type.ts',
    `export type { SlackConfig } from '#adapters/ingestion/slack/settings.ts';`,
    IMPORTS,
  ],
  [
    'web/src/plant-promise-withresolvers.ts',
    `export const none: unknown = Promise.withResolvers;`,
    'eslint(no-restricted-properties)',
  ],
  [
    'web/src/plant-map-groupby.ts',
    `export const none: unknown = Map.groupBy;`,
    'eslint(no-restricted-properties)',
  ],
  [
    'web/src/plant-object-groupby.ts',
    `export const none: unknown = Object.groupBy;`,
    'eslint(no-restricted-properties)',
  ],
  [
    'web/src/plant-abortsignal-any.ts',
    `export const none: unknown = AbortSignal.any;`,
    'eslint(no-restricted-properties)',
  ],
  [
    'web/src/plant-url-canparse.ts',
    `export const none: unknown = URL.canParse;`,
    'eslint(no-restricted-properties)',
  ],
  [
    'web/src/plant-url-parse.ts',
    `export const none: unknown = URL.parse;`,
    'eslint(no-restricted-properties)',
  ],
  [
    'web/src/plant-response-json.ts',
    `export const none: unknown = Response.json;`,
    'eslint(no-restricted-properties)',
  ],
  ['web/src/plant-api.ts', `export * from '#api/app.ts';`, IMPORTS],
  [
    'core/domain/cycle-a.ts',
    `import { b } from './cycle-b.ts';\nexport const a = (): number => b();`,
    'import(no-cycle)',
  ],
  [
    'core/domain/cycle-b.ts',
    `import { a } from '#core/domain/cycle-a.ts';\nexport const b = (): number => a();`,
    'import(no-cycle)',
  ],
  ['core/domain/plant-any.ts', `export const any: any = 1;`, 'typescript(no-explicit-any)'],
  ['core/domain/plant-ignore.ts', `// @ts-ignore\nexport const one = 1;`, 'typescript(ban-ts-comment)'],
  [
    'core/domain/plant-promise.ts',
    `export function late(): void {\n  Promise.resolve(1);\n}`,
    'typescript(no-floating-promises)',
  ],
  ['core/domain/plant-long.ts', `export const list = [\n${'  1,\n'.repeat(300)}];`, 'eslint(max-lines)'],
  ['core/domain/plant-comments.ts', `${'// a line\n'.repeat(300)}export const one = 1;`, 'eslint(max-lines)'],
  [
    'core/domain/plant-function.ts',
    `export function long(): number[] {\n  return [\n${'    1,\n'.repeat(98)}  ];\n}`,
    'eslint(max-lines-per-function)',
  ],
  [
    'core/domain/type-cycle-a.ts',
    `import type { B } from './type-cycle-b.ts';\nexport type A = { b?: B };`,
    'import(no-cycle)',
  ],
  [
    'core/domain/type-cycle-b.ts',
    `import type { A } from './type-cycle-a.ts';\nexport type B = { a?: A };`,
    'import(no-cycle)',
  ],
  [
    'core/domain/plant-focus.test.ts',
    `import { test } from 'vitest';\ntest.only('one', () => {});`,
    'vitest(no-focused-tests)',
  ],
  ['web/src/plant.tsx', `export const picture = <img src="/a.png" />;`, 'jsx-a11y(alt-text)'],

  ['core/contract/fine.ts', `export { Type } from 'typebox';\nexport * from './limits.ts';`, null],
  [
    'core/domain/fine.ts',
    `export * from '#core/contract/limits.ts';\nexport * from '../contract/tasks.ts';\nexport { clip } from '../text/clean-text.ts';\nexport { randomUUID } from 'node:crypto';`,
    null,
  ],
  [
    'core/text/fine.ts',
    `export type { Priority } from '#core/contract/index.ts';\nexport * from './other.ts';`,
    null,
  ],
  ['core/ports/fine.ts', `export type { Task } from '../domain/task.ts';`, null],
  [
    'core/services/fine.ts',
    `export type { Storage } from '#core/ports/storage.ts';\nexport * from '../errors.ts';\nexport * from './submissions.ts';`,
    null,
  ],
  [
    'adapters/plant/fine.ts',
    `export { DatabaseSync } from 'node:sqlite';\nexport * from '#core/errors.ts';\nexport * from './other.ts';`,
    null,
  ],
  ['adapters/ingestion/plant/deep/fine.ts', `export { setTimeout } from 'node:timers/promises';`, null],
  [
    'adapters/ingestion/smtp/parse/fine.ts',
    `export { MailParser } from 'mailparser';\nexport * from '../recipient.ts';\nexport * from '../server/reply.ts';`,
    null,
  ],
  ['adapters/mongodb/work/fine.ts', `export * from '../tasks/task-documents.ts';`, null],
  ['adapters/jwt/fine.ts', `export { SignJWT } from 'jose';`, null],
  ['api/compose.ts', `export * from '#adapters/sqlite/storage.ts';`, null],
  [
    'api/routes/fine.ts',
    `export { default } from 'fastify';\nexport * from '../app.ts';\nexport * from '#core/services/submissions.ts';`,
    null,
  ],
  ['web/src/fine-limits.ts', `export { MAX_TAGS } from '#core/contract/limits.ts';`, null],
  ['web/src/fine-order.ts', `export { compareInOrder } from '#core/contract/order.ts';`, null],
  ['web/src/fine-protocol.ts', `export { API_BASE } from '#core/contract/protocol.ts';`, null],
  ['web/src/fine-text.ts', `export { trimLink } from '#core/text/trim-link.ts';`, null],
  [
    'web/src/fine-adapter.ts',
    `export type { SlackStatus } from '#adapters/ingestion/slack/contract.ts';`,
    null,
  ],
  ['web/src/fine.ts', `export type { Task } from '#core/contract/index.ts';`, null],
];

interface Finding {
  code: string;
  filename: string;
}

describe('the linter', () => {
  let folder: string;
  let findings: Finding[];

  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'qinbox-gate-'));
    for (const file of ['.oxlintrc.json', 'package.json', 'tsconfig.json', '.gitignore'])
      cpSync(join(root, file), join(folder, file));
    symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'));
    for (const [path, text] of plants) {
      mkdirSync(dirname(join(folder, path)), { recursive: true });
      writeFileSync(join(folder, path), `${text}\n`);
    }
    const oxlint = join(root, 'node_modules', '.bin', 'oxlint');
    const folders = ['core', 'adapters', 'api', 'cli', 'web'];
    const ran = spawnSync(process.execPath, [oxlint, '-f', 'json', ...folders], {
      cwd: folder,
      encoding: 'utf8',
    });
    findings = (JSON.parse(ran.stdout) as { diagnostics: Finding[] }).diagnostics;
  });

  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  const found = (path: string) =>
    findings.filter(({ filename }) => filename === path).map(({ code }) => code);
  const refused = plants.filter((plant): plant is [string, string, string] => plant[2] !== null);
  const allowed = plants.filter(([, , rule]) => rule === null);

  test.each(refused)('refuses %s: %s', (path, _text, rule) => {
    expect(found(path)).toContain(rule);
  });

  test.each(allowed)('lets %s pass', (path) => {
    expect(found(path)).toEqual([]);
  });
});
