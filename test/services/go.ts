// Programs that tests build with Go, in the version that a go.mod of ours names, once on a machine.
import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { promisify } from 'node:util';
import { installOnce, type Sought } from './cache.ts';
import { findProgram } from './service.ts';

/** The program that `module` is, found on the PATH or built in this folder, or why there is none. */
export async function buildProgram(module: string, folder: string): Promise<Sought> {
  const name = basename(module);
  const found = findProgram(name);
  if (found !== null) return { path: found };
  if (findProgram('go') === null) return { missing: `there is no ${name}, and no Go to build it with` };
  const built = await installOnce(name, readFileSync(join(folder, 'go.sum')), (to) =>
    promisify(execFile)('go', ['build', '-o', to, module], { cwd: folder }),
  );
  return 'missing' in built ? built : { path: join(built.path, name) };
}
