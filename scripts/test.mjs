// `npm test [-- filter or options]`: the suites of the server, then those of the web app, then one line with the sum.
// What was skipped is said on the last lines; with REQUIRE_SERVICES=1 a skipped test is a failure. No test at all is one, too.
// `--long` runs the long checks (*.long.ts) instead, which `npm test` leaves out.
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { bin, env, node, root, run } from './parts/project.mjs';

const long = process.argv.includes('--long');
const args = process.argv.slice(2).filter((arg) => arg !== '--long');
const filters = args.filter((arg) => !arg.startsWith('-'));
const webConfig = join(root, 'web', 'vitest.config.ts');
const reports = mkdtempSync(join(tmpdir(), 'qinbox-test-'));
const total = { passed: 0, failed: 0, skipped: [] };

const hasAny = (web) => filters.length === 0 || filters.some((filter) => filter.startsWith('web') === web);
if (hasAny(false))
  await runSuites(
    'server',
    args.filter((arg) => !arg.startsWith('web')),
  );
if (hasAny(true) && !long && existsSync(webConfig)) await runSuites('web', ['-c', webConfig, ...args]);
rmSync(reports, { recursive: true, force: true });

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

async function runSuites(name, options) {
  const report = join(reports, `${name}.json`);
  const reporters = ['--reporter=default', `--reporter=${join(root, 'scripts', 'parts', 'report.mjs')}`];
  const code = await run(node, [join(bin, 'vitest'), 'run', ...reporters, ...options], {
    env: { ...env, QINBOX_TEST_REPORT: report, ...(long ? { QINBOX_LONG: '1' } : {}) },
  });
  const counts = existsSync(report)
    ? JSON.parse(readFileSync(report, 'utf8'))
    : { passed: 0, failed: 0, skipped: [] };
  total.passed += counts.passed;
  total.failed += counts.failed;
  total.skipped.push(...counts.skipped);
  if (code !== 0 && counts.failed === 0) total.failed++;
}
