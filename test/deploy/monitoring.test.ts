// The dashboard and the alerts ask only for what a running program measures, by labels that it has.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createTempDir } from '#test/helpers/temp.ts';
import { root, startProgram } from '#test/program/program.ts';
import { createOpenIntake, signIn } from '#test/program/signed-in.ts';
import { describeWith, sharedMongo, sharedRedis } from '#test/services/services.ts';

const TOKEN = 'metrics-token-of-a-test';
const text = (...path: string[]) => readFileSync(join(root, ...path), 'utf8');

interface Query {
  source: string;
  expr: string;
}

const dashboard = JSON.parse(text('deploy', 'monitoring', 'grafana-dashboard.json')) as {
  panels: { title: string; targets?: { expr: string }[] }[];
  templating: { list: { name: string; query: unknown }[] };
};

function queries(): Query[] {
  const panels = dashboard.panels.flatMap(({ title, targets = [] }) =>
    targets.map(({ expr }) => ({ source: `panel ${title}`, expr })),
  );
  const variables = dashboard.templating.list.map(({ name, query }) => ({
    source: `variable ${name}`,
    expr: JSON.stringify(query).replaceAll(String.raw`\"`, '"'),
  }));
  const alerts = text('deploy', 'monitoring', 'alerts.yaml').matchAll(
    / {6}- alert: (\w+)\n {8}expr: (?:\|\n((?: {10}.*\n)+)|(.*)\n)/g,
  );
  return [
    ...panels,
    ...variables,
    ...[...alerts].map(([, name, block, line]) => ({ source: `alert ${name}`, expr: block ?? line ?? '' })),
  ];
}

/** The measurements that a query names, with the labels that it chooses by, and the labels of its result. */
function namesIn(expr: string): { metrics: { name: string; labels: string[] }[]; grouping: string[] } {
  const metrics = [...expr.matchAll(/\b((?:qinbox|nodejs|process)_\w+)(?:\{([^}]*)\})?/g)];
  return {
    metrics: metrics.map(([, name = '', matchers = '']) => ({
      name,
      labels: [...matchers.matchAll(/(\w+)\s*(?:=~|!=|!~|=)/g)].map(([, label = '']) => label),
    })),
    grouping: [...expr.matchAll(/\bby \(([^)]*)\)/g)].flatMap(([, list = '']) => list.split(/,\s*/)),
  };
}

/** What Prometheus adds. */
const ADDED = ['job', 'instance'];

/** Each measurement of a running program, with its labels: those documented, and those seen. */
async function measured(url: string): Promise<Map<string, Set<string>>> {
  const answer = await fetch(`${url}/metrics`, { headers: { authorization: `Bearer ${TOKEN}` } });
  const found = new Map<string, Set<string>>();
  const lines = (await answer.text()).split('\n');
  for (const [, name = '', type] of lines.map((line) => /^# TYPE (\w+) (\w+)/.exec(line) ?? [])) {
    if (name === '') continue;
    const series = type === 'histogram' ? ['_bucket', '_sum', '_count'].map((end) => name + end) : [name];
    for (const one of series) found.set(one, new Set([...ADDED, ...(type === 'histogram' ? ['le'] : [])]));
  }
  for (const line of lines) {
    const [, name = '', labels = ''] = /^(\w+)\{([^}]*)\}/.exec(line) ?? [];
    for (const [, label = ''] of labels.matchAll(/(\w+)="/g)) found.get(name)?.add(label);
  }
  for (const [, name = '', labels = ''] of text('docs', 'operations.md').matchAll(
    /^\| `(qinbox_\w+)` +\| ([^|]*) \|/gm,
  ))
    for (const series of [name, `${name}_bucket`, `${name}_count`, `${name}_sum`])
      for (const [, label = ''] of labels.matchAll(/`(\w+)`/g)) found.get(series)?.add(label);
  return found;
}

function unknown(found: Map<string, Set<string>>): string[] {
  return queries().flatMap(({ source, expr }) => {
    const { metrics, grouping } = namesIn(expr);
    const all = new Set(metrics.flatMap(({ name }) => [...(found.get(name) ?? [])]));
    return [
      ...metrics.filter(({ name }) => !found.has(name)).map(({ name }) => `${source}: no ${name}`),
      ...metrics.flatMap(({ name, labels }) =>
        labels
          .filter((label) => found.get(name)?.has(label) === false)
          .map((label) => `${source}: ${name} has no ${label}`),
      ),
      ...grouping.filter((label) => !all.has(label)).map((label) => `${source}: nothing has ${label}`),
    ];
  });
}

const env = { METRICS_TOKEN: TOKEN, JWT_SECRET: 's'.repeat(40) };

describe('the dashboard and the alerts', () => {
  it('are read by this test: every panel, every alert', () => {
    const sources = queries().map(({ source }) => source);
    const alerts = text('deploy', 'monitoring', 'alerts.yaml').match(/- alert:/g) ?? [];
    expect(sources.filter((source) => source.startsWith('alert'))).toHaveLength(alerts.length);
    expect(alerts.length).toBeGreaterThanOrEqual(8);
    expect(dashboard.panels.filter(({ targets }) => targets !== undefined).length).toBeGreaterThanOrEqual(15);
    const { metrics, grouping } = namesIn('sum by (a, b) (rate(qinbox_x{job="q",c=~"y"}[5m]))');
    expect([metrics, grouping]).toEqual([[{ name: 'qinbox_x', labels: ['job', 'c'] }], ['a', 'b']]);
    expect(unknown(new Map()).length).toBeGreaterThan(20);
  });
});

/** What is asked, without the job and how it is laid out. */
const plain = (expr: string) => expr.replaceAll(/job="qinbox",?/g, '').replaceAll(/\{\}|\s/g, '');

describe('the job of Prometheus', () => {
  it('is called as the alerts call it, in the stack and on Kubernetes', () => {
    const jobs = queries().flatMap(({ expr }) => [...expr.matchAll(/job="([^"]*)"/g)].map(([, job]) => job));
    expect(new Set(jobs)).toEqual(new Set(['qinbox']));
    expect(text('deploy', 'monitoring', 'prometheus.yaml')).toContain('job_name: qinbox\n');
    const monitor = text('deploy', 'kubernetes', 'monitoring', 'pod-monitor.yaml');
    const [, label = 'none'] = /^ {2}jobLabel: (\S+)$/m.exec(monitor) ?? [];
    for (const role of ['api', 'worker', 'smtp']) {
      const [, pod = ''] = text('deploy', 'kubernetes', 'base', `${role}.yaml`).split(/^ {2}template:$/m);
      expect(/labels: (.*)/.exec(pod)?.[1], role).toContain(`${label}: qinbox`);
    }
  });
});

describe('what docs/operations.md says when to wake somebody', () => {
  const TIMES: Record<string, string> = { 'a minute': '1m', 'two minutes': '2m', 'five minutes': '5m' };
  const [, section = ''] = text('docs', 'operations.md').split('Wake somebody when\n');
  const [list = ''] = section.split('\n## ');
  const said = [...list.matchAll(/^- `(.*)` for (\w+ minutes?)[:;]/gm)];

  it('is what the alerts do, after the same time', () => {
    const alerts = text('deploy', 'monitoring', 'alerts.yaml').split(/- alert: /);
    const known = alerts.map((alert) => {
      const [, expr = '', time] = /expr: \|?([^]*?)\n {8}for: (\w+)/.exec(alert) ?? [];
      return `${plain(expr)} for ${time}`;
    });
    expect(said).toHaveLength(8);
    for (const [, expr = '', time = ''] of said) expect(known).toContain(`${plain(expr)} for ${TIMES[time]}`);
  });

  it('counts the same as faults everywhere: not a probe that is told that a part is away', () => {
    const faults = queries().filter(({ expr }) => expr.includes('5..'));
    expect(faults.map(({ source }) => source)).toEqual(['panel Requests that fail', 'alert QinboxErrors']);
    const matchers = 'status=~"5..",refused="",route!="/ready"}';
    for (const expr of [...faults.map((one) => one.expr), ...list.matchAll(/^- `(rate.*5\.\..*)`/gm)])
      expect(String(expr)).toContain(matchers);
  });
});

const [mongo, redis] = [await sharedMongo(), await sharedRedis()];
describeWith('the dashboard and the alerts', mongo, ({ url: mongoUrl }) => {
  it('ask for nothing that no process measures, alone or in its role', async ({ skip }) => {
    if ('missing' in redis) return skip(redis.missing);
    const address = new URL(mongoUrl);
    address.pathname = '/qinbox-monitoring-test';
    const stores = { MONGODB_URL: address.href, REDIS_URL: redis.url };
    const all = new Map<string, Set<string>>();
    for (const role of ['all', 'api', 'worker', 'smtp']) {
      const dataDir = createTempDir();
      const own = role === 'all' ? {} : { ...stores, QINBOX_ROLES: role };
      const program = await startProgram({ dataDir, env: { ...env, SMTP_PORT: '0', ...own } });
      onTestFinished(() => program.kill());
      if (role === 'all') {
        const token = await createOpenIntake(await signIn(dataDir, program.url));
        await fetch(`${program.url}/hooks/${token}`, { method: 'POST', body: 'Disk full' });
      }
      for (const [name, labels] of await measured(program.url))
        all.set(name, new Set([...labels, ...(all.get(name) ?? [])]));
      await program.stop();
    }
    expect(unknown(all)).toEqual([]);
  });
});
