// Processes that look for free ports at once find different ones.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { expect, it } from 'vitest';
import { plainEnvironment, root } from './program.ts';

const EACH = 300;
const PROCESSES = 3;

it('gives no port to two processes, though nobody listens on it yet', async () => {
  // Each lives until all have found theirs: the ports of one that has ended may be given anew.
  const script = `
    import { freePort } from '#test/program/program.ts';
    for (let count = 0; count < ${EACH}; count++) console.log(await freePort());
    process.stdin.resume();`;
  const children = Array.from({ length: PROCESSES }, () =>
    spawn(process.execPath, ['--input-type=module', '-e', script], {
      cwd: root,
      env: plainEnvironment({ NODE_NO_WARNINGS: '1' }),
      stdio: ['pipe', 'pipe', 'inherit'],
    }),
  );
  const found = await Promise.all(
    children.map(async ({ stdout }) => {
      const ports: string[] = [];
      for await (const line of createInterface(stdout)) if (ports.push(line) === EACH) break;
      return ports;
    }),
  );
  const exits = children.map((child) => once(child, 'exit'));
  for (const { stdin } of children) stdin.end();
  expect(await Promise.all(exits)).toEqual(children.map(() => [0, null]));
  const ports = found.flat();
  expect(ports).toHaveLength(EACH * PROCESSES);
  expect(new Set(ports).size).toBe(ports.length);
});
