// The alerts, by Prometheus's own tool: `npm run test:alerts`. It is built from source the first time, which
// takes ten minutes, and is there from then on.
import { execFile, spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { root } from '#test/program/program.ts';
import { installOnce, type Sought } from '#test/services/cache.ts';
import { findProgram } from '#test/services/service.ts';

async function findPromtool(): Promise<Sought> {
  const found = findProgram('promtool');
  if (found !== null) return { path: found };
  if (findProgram('go') === null) return { missing: 'there is no promtool, and no Go to build it with' };
  const source = join(import.meta.dirname, 'promtool');
  const built = await installOnce('promtool', readFileSync(join(source, 'go.sum')), (folder) =>
    promisify(execFile)('go', ['build', '-o', folder, 'github.com/prometheus/prometheus/cmd/promtool'], {
      cwd: source,
    }),
  );
  return 'missing' in built ? built : { path: join(built.path, 'promtool') };
}

const promtool = await findPromtool();
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
