// The files for deployment are what their own tools take for right: the Dockerfile, the workflows, the
// manifests and the units.
import { spawnSync } from 'node:child_process';
import { cpSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { ROLES } from '#core/variables.ts';
import { createTempDir } from '#test/helpers/temp.ts';
import { plainEnvironment, root, serverScript } from '#test/program/program.ts';
import { buildProgram } from '#test/services/go.ts';
import { findProgram } from '#test/services/service.ts';
import { check, readYaml, tool, tools } from './tools.ts';

const deploy = join(root, 'deploy');
const text = (path: string) => readFileSync(join(deploy, path), 'utf8');

interface Resource {
  kind: string;
  metadata: { name: string };
  spec: {
    template: {
      metadata: { labels: object };
      spec: {
        containers: { env: { name: string; value: string }[]; [field: string]: unknown }[];
        [field: string]: unknown;
      };
    };
  };
  stringData?: Record<string, string>;
  resources?: string[];
}

const read = (path: string) => readYaml(path) as Resource[];

beforeEach(({ skip }) => {
  if ('missing' in tools) skip(tools.missing);
});

describe('the image', () => {
  it('is built as hadolint wants it', () => {
    expect(check('hadolint', ['Dockerfile'])).toEqual({ status: 0, said: '' });
  });
});

describe('the workflows', () => {
  it('have no weakness that zizmor knows: actions named by commit, no right too many, nothing injected', () => {
    const { status, said } = check('zizmor', [
      '--offline',
      '--no-progress',
      '--quiet',
      '--min-severity=medium',
      '.github',
      'deploy/github-action',
    ]);
    expect(status, said).toBe(0);
    for (const name of readdirSync(join(root, '.github', 'workflows'))) {
      const uses = readFileSync(join(root, '.github', 'workflows', name), 'utf8').matchAll(/uses: (.*)/g);
      for (const [, action = ''] of uses)
        if (!action.startsWith('./')) expect(action).toMatch(/^[\w/-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/);
    }
  });
});

describe('the workflows and the example of the action', () => {
  it('are as actionlint wants them, their scripts as shellcheck: each step can fail', async ({ skip }) => {
    const found = await buildProgram(
      'github.com/rhysd/actionlint/cmd/actionlint',
      join(import.meta.dirname, 'actionlint'),
    );
    if ('missing' in found) {
      if (process.env['REQUIRE_SERVICES'] === '1') throw new Error(found.missing);
      return skip(found.missing);
    }
    const shellcheck = tool('shellcheck');
    const files = readdirSync(join(root, '.github', 'workflows')).map((name) => `.github/workflows/${name}`);
    const { status, stdout, stderr } = spawnSync(
      found.path,
      ['-no-color', '-shellcheck', shellcheck.path, ...files, 'deploy/github-action/example.yml'],
      { cwd: root, env: shellcheck.env, encoding: 'utf8' },
    );
    expect(status, stdout + stderr).toBe(0);
  });
});

describe('the manifests of Kubernetes', () => {
  it('leave the number of pods to the autoscalers, which each apply would undo', () => {
    const scaled = readYaml(join(deploy, 'kubernetes', 'base', 'autoscaling.yaml')) as {
      spec: { scaleTargetRef: { name: string } };
    }[];
    expect(scaled.map(({ spec }) => spec.scaleTargetRef.name)).toEqual(['qinbox-api', 'qinbox-worker']);
    for (const name of ['api', 'worker'])
      expect(read(join(deploy, 'kubernetes', 'base', `${name}.yaml`))[0]?.spec, name).not.toHaveProperty(
        'replicas',
      );
  });
});

describe('Dependabot', () => {
  it('looks after every list of pinned packages, images and modules', () => {
    const [{ updates } = { updates: [] }] = readYaml(join(root, '.github', 'dependabot.yml')) as {
      updates: { 'package-ecosystem': string; directory?: string; directories?: string[] }[];
    }[];
    const looked = new Set(
      updates.flatMap(({ 'package-ecosystem': kind, directory, directories = [] }) =>
        [directory ?? [], directories].flat().map((folder) => `${kind} ${folder}`),
      ),
    );
    const pinned = readdirSync(join(root, 'test'), { recursive: true, encoding: 'utf8' }).flatMap((path) => {
      const kind = { 'requirements.txt': 'pip', 'go.mod': 'gomod', 'package-lock.json': 'npm' }[
        path.split('/').at(-1) ?? ''
      ];
      return kind === undefined || path.includes('node_modules') ? [] : [`${kind} /test/${dirname(path)}`];
    });
    expect(pinned.length).toBeGreaterThan(5);
    expect(pinned.filter((each) => !looked.has(each))).toEqual([]);
    for (const kind of ['npm /', 'docker /', 'docker-compose /', 'github-actions /'])
      expect(looked).toContain(kind);
  });
});

describe('the action, its example and the workflows', () => {
  it.each([
    ['vendor.github-actions', 'deploy/github-action/action.yml'],
    ['vendor.github-workflows', 'deploy/github-action/example.yml'],
    ...readdirSync(join(root, '.github', 'workflows')).map((name) => [
      'vendor.github-workflows',
      join('.github', 'workflows', name),
    ]),
  ])('have only what %s has: %s', (schema = '', file = '') => {
    const { status, said } = check('check-jsonschema', ['--builtin-schema', schema, file]);
    expect(status, said).toBe(0);
  });
});

describe('the scripts', () => {
  it('are as shellcheck wants them', () => {
    const scripts = [
      'deploy/setup.sh',
      'deploy/recipes/qinbox-notify',
      'deploy/recipes/proxmox/add-target.sh',
    ];
    expect(check('shellcheck', scripts)).toEqual({ status: 0, said: '' });
  });
});

describe('the manifests for Kubernetes', () => {
  const base = join(deploy, 'kubernetes', 'base');
  const files = () => readdirSync(base).filter((name) => name !== 'kustomization.yaml');
  let found: Resource[] | undefined;
  const deployments = () =>
    (found ??= files()
      .flatMap((name) => read(join(base, name)))
      .filter(({ kind }) => kind === 'Deployment'));

  it('are all listed, and have no field that Kubernetes does not know', () => {
    const [{ resources = [] } = { resources: [] }] = read(join(base, 'kustomization.yaml'));
    expect(resources.toSorted()).toEqual(files().toSorted());
    const paths = [...files().map((name) => join(base, name)), join(base, '..', 'secret.example.yaml')];
    const { status, said } = check('kubernetes-validate', ['--strict', '--no-warn', ...paths]);
    expect(status, said).toBe(0);
    expect(said.match(/ passed for resource /g)?.length).toBeGreaterThanOrEqual(17);
  });

  it('run every role, restricted, probed and bounded', () => {
    const roles = deployments().flatMap(({ spec }) => {
      const { env = [] } = spec.template.spec.containers[0] ?? {};
      return env.find(({ name }) => name === 'QINBOX_ROLES')?.value.split(',') ?? [];
    });
    expect(roles.toSorted()).toEqual([...ROLES].toSorted());
    for (const { metadata, spec } of deployments()) {
      const pod = spec.template.spec;
      expect(pod, metadata.name).toMatchObject({
        automountServiceAccountToken: false,
        securityContext: { runAsNonRoot: true, runAsUser: 1000, seccompProfile: { type: 'RuntimeDefault' } },
      });
      expect(pod.containers[0], metadata.name).toMatchObject({
        startupProbe: { httpGet: { path: '/health' } },
        livenessProbe: { httpGet: { path: '/health' } },
        readinessProbe: expect.any(Object),
        resources: { requests: expect.any(Object), limits: { memory: expect.any(String) } },
        securityContext: {
          allowPrivilegeEscalation: false,
          readOnlyRootFilesystem: true,
          capabilities: { drop: ['ALL'] },
        },
      });
    }
  });

  it('do not start with the example of a secret as it is, each on a store of its own', () => {
    const [secret] = read(join(base, '..', 'secret.example.yaml'));
    for (const { metadata, spec } of deployments()) {
      const { env = [] } = spec.template.spec.containers[0] ?? {};
      const own = Object.fromEntries(env.map(({ name, value }) => [name, value]));
      const { status, stderr } = spawnSync(process.execPath, [serverScript()], {
        cwd: createTempDir(),
        env: plainEnvironment({ DATA_DIR: 'data', PORT: '0', ...secret?.stringData, ...own }),
        encoding: 'utf8',
        timeout: 60_000,
      });
      expect([status, stderr], metadata.name).toEqual([
        78,
        expect.stringContaining('QINBOX_ROLES must have api and worker'),
      ]);
    }
  });

  it('let workers reach MongoDB and every form of Redis that docs/deploy.md names', () => {
    const policies = readYaml(join(base, 'network.yaml')) as {
      spec: { egress?: { to?: unknown; ports?: { port: number }[] }[] };
    }[];
    const open = policies
      .flatMap(({ spec }) => spec.egress ?? [])
      .filter(({ to }) => to === undefined)
      .flatMap(({ ports = [] }) => ports.map(({ port }) => port));
    const forms = readFileSync(join(root, 'docs', 'deploy.md'), 'utf8').matchAll(/`(redis\S*:\/\/\S+)`/g);
    const named = [...forms].flatMap(([, form = '']) => [...form.matchAll(/host:(\d+)/g)]);
    const ports = new Set([27017, ...named.map(([, port]) => Number(port))]);
    expect(ports.size).toBe(3);
    expect(open).toEqual(expect.arrayContaining([...ports]));
  });

  it('hold no secret', () => {
    const [secret] = read(join(base, '..', 'secret.example.yaml'));
    expect(new Set(Object.values(secret?.stringData ?? {}))).toEqual(new Set(['']));
  });
});

describe('the units of systemd', () => {
  it('differ in what makes one a role, and in nothing else', () => {
    const lines = (path: string) =>
      text(path)
        .replace(/^#.*\n/gm, '')
        .split('\n');
    const [one, role] = [lines('qinbox.service'), lines('qinbox@.service')];
    expect(role.filter((line) => !one.includes(line))).toEqual([
      'Description=Qinbox, role %i',
      'Environment=QINBOX_ROLES=%i',
      'Environment=DATA_DIR=/var/lib/qinbox-%i',
      'EnvironmentFile=-/etc/qinbox/%i.env',
      'StateDirectory=qinbox-%i',
    ]);
    expect(one.filter((line) => !role.includes(line))).toEqual([
      'Description=Qinbox',
      'StateDirectory=qinbox',
    ]);
  });

  it('leave the program little to do harm with', ({ skip }) => {
    const program = findProgram('systemd-analyze');
    if (program === null) return skip('there is no systemd-analyze');
    const folder = createTempDir();
    for (const [from, to] of [
      ['qinbox.service', 'qinbox.service'],
      ['qinbox@.service', 'qinbox@worker.service'],
    ] as const) {
      cpSync(join(deploy, from), join(folder, to));
      const args = ['security', '--offline=true', '--threshold=20', join(folder, to)];
      const { status, stdout, stderr } = spawnSync(program, args, { encoding: 'utf8' });
      expect(stderr).not.toMatch(/Unknown|Failed to parse|Invalid/);
      expect(status, stdout.slice(-200)).toBe(0);
    }
  });
});
