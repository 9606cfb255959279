// The page on generated clients, run word for word: its commands in a shell, its blocks of one language in
// order as one program.
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { blocksIn } from '#test/docs/blocks.ts';

export const PAGE = join('docs', 'clients.md');

export interface Ran {
  out: string;
  err: string;
}

/** The program that the page's blocks of this language make. */
export function programOf(language: 'ts' | 'python'): string {
  return `${blocksIn(PAGE, language).join('\n')}\n`;
}

/** The command of the page that generates with this program. */
export function generatorOf(program: string): string {
  const found = blocksIn(PAGE, 'sh generate').filter((block) => block.includes(program));
  if (found.length !== 1) throw new Error(`${PAGE} has ${found.length} commands of ${program}`);
  return found[0] ?? '';
}

/** Runs a program in this folder to its end; rejects when it fails. */
export async function run(
  command: string,
  args: readonly string[],
  folder: string,
  env: Record<string, string>,
): Promise<Ran> {
  const { stdout, stderr } = await promisify(execFile)(command, args, { cwd: folder, env });
  return { out: stdout, err: stderr };
}
