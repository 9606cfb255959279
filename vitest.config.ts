// The server's suites. `unit` may run side by side; `program` starts real servers, browsers and tracers, so its files run after
// all others, one at a time. Long checks (*.long.ts) are run by `npm run test:kill` and `test:clone`.
import { defineConfig } from 'vitest/config';

const programs = ['test/{abuse,docs,e2e,durability,first-minute,schemathesis}/**/*.test.ts'];
/** For a test that hangs, not for one that is slow: the machine may be busy with other work. */
const PATIENCE_MS = 180_000;
const exclude = ['**/node_modules/**', '**/dist/**'];

export default defineConfig({
  test: process.env['QINBOX_LONG']
    ? { include: ['test/**/*.long.ts'], fileParallelism: false, testTimeout: 600_000 }
    : {
        projects: [
          {
            test: {
              name: 'unit',
              globalSetup: ['test/services/global.ts'],
              include: ['{core,adapters,api,cli,test,bench}/**/*.test.ts'],
              exclude: [...exclude, ...programs],
              testTimeout: PATIENCE_MS,
              hookTimeout: PATIENCE_MS,
            },
          },
          {
            test: {
              name: 'program',
              globalSetup: ['test/services/global.ts'],
              include: programs,
              exclude,
              fileParallelism: false,
              sequence: { groupOrder: 1 },
              testTimeout: PATIENCE_MS,
              hookTimeout: PATIENCE_MS,
            },
          },
        ],
      },
});
