// The alerts, by Prometheus's own tool: `npm run test:alerts`. It is built from source the first time, which
// takes ten minutes, and is there from then on.
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { root } from '#test/program/program.ts';
import { buildProgram } from '#test/services/go.ts';

const promtool = await buildProgram(
  'github.com/prometheus/prometheus/cmd/promtool',
  join(import.meta.dirname, 'promtool'),
);
if ('missing' in promtool && process.env['REQUIRE_SERVICES'] === '1') throw new Error(promtool.missing);

describe('the alerts', () => {
  it.each([
    ['are rules that Prometheus takes', ['check', 'rules', 'deploy/monitoring/alerts.yaml']],
    ['fire on what they are for, and on nothing else', ['test', 'rules', 'test/deploy/alerts.test.yaml']],
    [
      'come with a configuration that Prometheus takes',
      ['check', 'config', '--syntax-only', 'deploy/monitoring/prometheus.yaml'],
    ],
  ])('%s', (_, args) => {
    if ('missing' in promtool) throw new Error(promtool.missing);
    const { status, stdout, stderr } = spawnSync(promtool.path, args, { cwd: root, encoding: 'utf8' });
    expect(status, stdout + stderr).toBe(0);
  });
});
