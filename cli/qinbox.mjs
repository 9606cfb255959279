#!/usr/bin/env node
// Starts the command line on the Node that Qinbox is locked to, whatever Node the machine has.
import { spawnSync } from 'node:child_process';
import module, { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const main = new URL('./main.ts', import.meta.url);
const MINIMUM = 24;

if (Number(process.versions.node.split('.')[0]) >= MINIMUM) {
  // Node stores what it compiled, where it may write, which halves the time of the next command.
  module.enableCompileCache(
    fileURLToPath(new URL('../node_modules/.cache/qinbox/compiled', import.meta.url)),
  );
  const { run } = await import(main.href);
  process.exitCode = await run(process.argv.slice(2));
} else {
  const node = join(dirname(createRequire(import.meta.url).resolve('node/package.json')), 'bin', 'node');
  const { status, error } = spawnSync(node, [fileURLToPath(import.meta.url), ...process.argv.slice(2)], {
    stdio: 'inherit',
  });
  if (error !== undefined) process.stderr.write(`qinbox: needs Node ${MINIMUM}; run npm ci first\n`);
  process.exitCode = status ?? 1;
}
