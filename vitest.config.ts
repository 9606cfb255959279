// All suites in one run. `unit`, `web` and `web-database` need nothing but Node (`npm run test:unit`);
// `program` needs services, browsers or tracers, or starts the real program, each file with ports and folders
// of its own. `npm run test:kill` and the like run the long checks (*.long.ts).
import { accessSync, constants, statfsSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { defineConfig } from 'vitest/config';
import web from './web/vitest.config.ts';

const programs = [
  'test/deploy/**/*.test.ts',
  'adapters/mongodb/**/*.test.ts',
  'adapters/redis/**/*.test.ts',
  'adapters/ingestion/smtp/**/clients.test.ts',
  'adapters/mail-out/**/*.test.ts',
  'adapters/sqlite/{faults,integrity}.test.ts',
  'test/api/quota.test.ts',
  'test/gates/deploy.test.ts',
  'test/adapter-contract/template.test.ts',
  'cli/{cli,commands/{backup,doctor,migrate}}.test.ts',
  'test/{abuse,cli,clients,docs,durability,e2e,faults,first-minute,openapi-clients,push,schemathesis,services,shutdown,sizes}/**/*.test.ts',
];
/** IndexedDB belongs to a window: what is still running when a window is closed would meet none. */
const database = ['**/outbox*.test.{ts,tsx}'];
const exclude = ['**/node_modules/**', '**/dist/**'];
/** Limits for a test that hangs, not for one that is slow: the machine may be busy with other work. */
const patience = { testTimeout: 600_000, hookTimeout: 600_000, expect: { poll: { timeout: 120_000 } } };

/** Where files can be kept in memory and 1 GiB is free there (Linux), else the usual folder. */
function folderInMemory(): string {
  const folder = '/dev/shm';
  try {
    accessSync(folder, constants.W_OK);
    const { bavail, bsize } = statfsSync(folder);
    return bavail * bsize > 2 ** 30 ? folder : tmpdir();
  } catch {
    return tmpdir();
  }
}

const globalSetup = ['test/services/global.ts'];

// Node stores what it compiled, for the workers and for the programs that tests start.
process.env['NODE_COMPILE_CACHE'] ??= join(import.meta.dirname, 'node_modules/.cache/qinbox/compiled');

export default defineConfig({
  test: process.env['QINBOX_LONG']
    ? { include: ['test/**/*.long.ts'], fileParallelism: false, testTimeout: 600_000 }
    : {
        // More than there are processors, since many tests wait for other processes.
        maxWorkers: availableParallelism() + 2,
        projects: [
          {
            test: {
              name: 'unit',
              include: ['{core,adapters,api,cli,test,bench}/**/*.test.ts'],
              exclude: [...exclude, ...programs],
              // No file replaces modules or globals, so that they can share what is loaded.
              pool: 'threads',
              isolate: false,
              // Its files prove nothing of a disk; those that do are among the programs.
              env: { TMPDIR: folderInMemory() },
              ...patience,
            },
          },
          {
            ...web,
            test: { ...web.test, name: 'web', pool: 'vmThreads', exclude: [...exclude, ...database] },
          },
          { ...web, test: { ...web.test, name: 'web-database', include: database, exclude } },
          {
            test: {
              name: 'program',
              isolate: false,
              globalSetup,
              include: programs,
              exclude,
              ...patience,
            },
          },
        ],
      },
});
