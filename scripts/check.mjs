// `npm run check`: types, lint, format, unused code. Runs all of them, even after one failed, so that one run
// shows everything.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { bin, node, root, run } from './parts/project.mjs';

const checks = [
  ['types', 'tsc', ['-p', '.']],
  ['types of the web app', 'tsc', ['-p', 'web']],
  ['lint', 'oxlint', ['--type-aware']],
  ['format', 'oxfmt', ['--check']],
  ['unused code', 'knip', []],
];

const failed = [];
for (const [title, tool, args] of checks) {
  if (tool === 'tsc' && args[1] === 'web' && !existsSync(join(root, 'web', 'tsconfig.json'))) continue;
  process.stdout.write(`— ${title}\n`);
  if ((await run(node, [join(bin, tool), ...args])) !== 0) failed.push(title);
}
process.stdout.write(failed.length === 0 ? 'All checks pass.\n' : `Not right: ${failed.join(', ')}.\n`);
process.exitCode = failed.length === 0 ? 0 : 1;
