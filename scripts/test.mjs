// `npm test [-- filter or options]`: all suites, then one line with the sum; `--unit` only those that need no
// browser, no service and no started program; `--long` the long checks (*.long.ts) instead. The last lines
// name what was skipped; with REQUIRE_SERVICES=1 a skipped test is a failure, and a run without any test is
// one, too.
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { bin, env, node, root, run } from './parts/project.mjs';

const given = process.argv.slice(2);
const args = given.filter((arg) => !['--unit', '--long'].includes(arg));
if (given.includes('--unit')) args.push('--project=unit', '--project=web*');
const folder = mkdtempSync(join(tmpdir(), 'qinbox-test-'));
const report = join(folder, 'counts.json');
const reporters = ['--reporter=default', `--reporter=${join(root, 'scripts', 'parts', 'report.mjs')}`];
// Threads of V8 beside every worker take more processor time than they save.
const flags = ['--v8-pool-size=1'];
const code = await run(node, [...flags, join(bin, 'vitest'), 'run', ...reporters, ...args], {
  env: { ...env, QINBOX_TEST_REPORT: report, ...(given.includes('--long') ? { QINBOX_LONG: '1' } : {}) },
});
const total = existsSync(report)
  ? JSON.parse(readFileSync(report, 'utf8'))
  : { passed: 0, failed: 0, skipped: [] };
rmSync(folder, { recursive: true, force: true });
if (code !== 0 && total.failed === 0) total.failed++;
if (total.passed + total.failed === 0) {
  process.stdout.write('No test was run.\n');
  total.failed++;
}
const byReason = Map.groupBy(total.skipped, ({ why }) => why);
for (const [why, tests] of byReason) {
  process.stdout.write(`SKIPPED ${tests.length}${why === '' ? '' : `, because ${why}`}:\n`);
  for (const { test } of tests) process.stdout.write(`  ${test}\n`);
}
if (process.env.REQUIRE_SERVICES === '1') total.failed += total.skipped.length;
process.stdout.write(`${total.passed} passed, ${total.failed} failed\n`);
process.exitCode = total.failed === 0 ? 0 : 1;
