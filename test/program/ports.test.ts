// Processes that look for free ports at once find different ones.
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';
import { plainEnvironment, root } from './program.ts';

const EACH = 300;
const PROCESSES = 3;

it('gives no port to two processes, though nobody listens on it yet', async () => {
  const script = `
    import { freePort } from '#test/program/program.ts';
    for (let count = 0; count < ${EACH}; count++) console.log(await freePort());
    // As long as all of them look.
    setTimeout(() => {}, 1500);`;
  const run = () =>
    promisify(execFile)(process.execPath, ['--input-type=module', '-e', script], {
      cwd: root,
      env: plainEnvironment({ NODE_NO_WARNINGS: '1' }),
    });
  const printed = await Promise.all(Array.from({ length: PROCESSES }, run));
  const ports = printed.flatMap(({ stdout }) => stdout.trim().split('\n'));
  expect(ports).toHaveLength(EACH * PROCESSES);
  expect(new Set(ports).size).toBe(ports.length);
});
