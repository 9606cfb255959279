// What reads a Compose file here: docker compose itself, else a small program around the library that docker
// compose reads it with, built once with Go, else nothing.
import { execFileSync, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, renameSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import { findProgram } from '#test/services/service.ts';

/** The command line that prints the project in a folder as JSON, or why there is none. */
export type ComposeConfig = { command(folder: string): string[] } | { missing: string };

export function findComposeConfig(): ComposeConfig {
  const compose = ['docker', 'compose'];
  if (spawnSync('docker', ['compose', 'version'], { stdio: 'ignore' }).status === 0)
    return { command: () => [...compose, 'config', '--format', 'json'] };
  const built = build();
  return 'missing' in built ? built : { command: (folder) => [built.path, folder] };
}

function build(): { path: string } | { missing: string } {
  const source = import.meta.dirname;
  const hash = createHash('sha256');
  for (const file of ['main.go', 'go.mod', 'go.sum']) hash.update(readFileSync(join(source, file)));
  const path = join(homedir(), '.cache', 'qinbox', `compose-config-${hash.digest('hex').slice(0, 12)}`);
  if (existsSync(path)) return { path };
  if (findProgram('go') === null)
    return { missing: 'there is no docker compose, and no Go to build a substitute' };
  const partial = `${path}.${process.pid}`;
  mkdirSync(dirname(path), { recursive: true });
  try {
    execFileSync('go', ['build', '-o', partial, '.'], { cwd: source, stdio: ['ignore', 'ignore', 'pipe'] });
    renameSync(partial, path);
    return { path };
  } catch (error) {
    const said = error instanceof Error && 'stderr' in error ? String(error.stderr) : String(error);
    return {
      missing: `there is no docker compose, and a substitute could not be built (${said.trim().split('\n').at(-1) ?? ''})`,
    };
  }
}
