// A Qinbox for tests of what an adapter itself decides, beside the contract that all adapters hold to.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startServer } from './server.ts';
import type { startQinbox as Declared } from './testing.d.ts';

export const startQinbox: typeof Declared = async ({ adapter, env, folder, intake = {} }) => {
  const place = folder ?? mkdtempSync(join(tmpdir(), 'qinbox-test-'));
  const options = { adapter, intake, openSender: () => Promise.reject(new Error('there is no sender')) };
  const { stop, address, state, logged, tasks, acknowledge } = await startServer(
    { options, folder: place },
    env,
  );
  return {
    address,
    state,
    logged,
    tasks,
    acknowledge,
    async stop() {
      await stop();
      if (folder === undefined) rmSync(place, { recursive: true, force: true });
    },
  };
};
