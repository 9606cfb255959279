// Carries out what the Dockerfile says in a temporary folder: what a stage does not copy is missing there,
// as it is in the image. Packages are those of this checkout, where the Dockerfile installs them.
import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync } from 'node:fs';
import { basename, delimiter, dirname, join, relative } from 'node:path';
import lock from '../../package-lock.json' with { type: 'json' };
import { root } from '#test/program/program.ts';

export interface Stage {
  /** As the Dockerfile calls it; the last one is `image`. */
  name: string;
  /** Its FROM. */
  from: string;
  /** The instructions after FROM, continued lines joined. */
  instructions: string[];
}

/** The stages of a Dockerfile, without comments. */
export function readStages(dockerfile: string): Stage[] {
  const lines = dockerfile
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('#'))
    .join('\n')
    .replaceAll(/\\\n\s*/g, '')
    .split('\n');
  const stages: Stage[] = [];
  for (const line of lines)
    if (line.startsWith('FROM '))
      stages.push({ name: / AS (\w+)$/.exec(line)?.[1] ?? 'image', from: line, instructions: [] });
    else stages.at(-1)?.instructions.push(line);
  return stages;
}

/** Whether a .dockerignore keeps a path out of the build: the last of its rules that fits counts. */
export function isIgnored(path: string, dockerignore: string): boolean {
  const parts = path.split('/');
  const above = parts.map((_, index) => parts.slice(0, index + 1).join('/'));
  let ignored = false;
  for (const line of dockerignore.split('\n').filter((one) => one !== '' && !one.startsWith('#'))) {
    const isException = line.startsWith('!');
    const rule = patternOf(isException ? line.slice(1) : line);
    if (above.some((one) => rule.test(one))) ignored = !isException;
  }
  return ignored;
}

function patternOf(rule: string): RegExp {
  const pattern = rule
    .replaceAll(/[.+^${}()|[\]\\]/g, String.raw`\$&`)
    .replaceAll('**/', '\0')
    .replaceAll('*', '[^/]*')
    .replaceAll('\0', '(?:.*/)?');
  return new RegExp(`^${pattern}$`);
}

/** Builds every stage in a folder of its own. Throws where a command fails or a file is not there. */
export function buildStages(folder: string, stages: Stage[], dockerignore: string): void {
  for (const { name, instructions } of stages) {
    const stage = join(folder, name);
    mkdirSync(stage);
    for (const line of instructions)
      if (line.startsWith('COPY ')) copyInto(stage, line, folder, dockerignore);
      else if (/^RUN npm ci .*--omit=dev/.test(line)) linkPackages(stage, false);
      else if (line.startsWith('RUN npm ci ')) linkPackages(stage, true);
      else if (line.startsWith('RUN node ')) run(stage, line.slice('RUN '.length));
  }
}

function copyInto(stage: string, line: string, folder: string, dockerignore: string): void {
  const [, ...words] = line.split(' ');
  const from = words[0]?.startsWith('--from=') === true ? words.shift()?.slice('--from='.length) : undefined;
  const to = words.pop() ?? '';
  for (const path of words) {
    // Of another stage: `/app/node_modules` is below its WORKDIR.
    const source = from === undefined ? join(root, path) : join(folder, from, ...path.split('/').slice(2));
    const isLeftOut = (file: string) =>
      from === undefined && isIgnored(relative(root, file).replaceAll('\\', '/'), dockerignore);
    if (isLeftOut(source) || !existsSync(source)) throw new Error(`${line}: there is no ${path}`);
    const target = join(stage, to, /(^\.|)\/$/.test(to) ? basename(path) : '');
    cpSync(source, target, { recursive: true, verbatimSymlinks: true, filter: (file) => !isLeftOut(file) });
  }
}

/** A folder of links, so that what is written beside the packages stays in the stage. */
function linkPackages(stage: string, withDevelopment: boolean): void {
  const installed = lock.packages as Record<string, { dev?: boolean }>;
  for (const [path, { dev }] of Object.entries(installed)) {
    const isNested = path.split('node_modules/').length > 2;
    if (path === '' || isNested || (dev === true && !withDevelopment) || !existsSync(join(root, path)))
      continue;
    mkdirSync(dirname(join(stage, path)), { recursive: true });
    symlinkSync(join(root, path), join(stage, path));
  }
  if (!readdirSync(join(stage, 'node_modules')).includes('fastify'))
    throw new Error('no packages are installed');
}

function run(stage: string, command: string): void {
  const path = [dirname(process.execPath), '/usr/bin', '/bin'].join(delimiter);
  execFileSync('/bin/sh', ['-ec', command], { cwd: stage, env: { PATH: path }, stdio: 'pipe' });
}

/** The Dockerfile of this checkout. */
export const dockerfile = readStages(readFileSync(join(root, 'Dockerfile'), 'utf8'));
export const dockerignore = readFileSync(join(root, '.dockerignore'), 'utf8');
