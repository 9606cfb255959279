// The real program with somebody who has a key, for what the recipes and the action send to it.
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import type { Task } from '#core/contract/index.ts';
import { createKey, root, startProgram, temporaryFolder, type Program } from '#test/program/program.ts';
import { signIn, type SignedInCall } from '#test/program/signed-in.ts';

/** The files that readers copy. */
export const recipes = join(root, 'deploy', 'recipes');

/** What the files have in the place of a server's address. */
export const PLACE = 'https://inbox.example.com';

export interface RecipeStage {
  program: Program;
  folder: string;
  key: string;
  call: SignedInCall;
  /** The tasks in the queue. */
  tasks(): Promise<Task[]>;
  close(): Promise<void>;
}

export async function startRecipeStage(): Promise<RecipeStage> {
  const folder = temporaryFolder('recipes');
  const dataDir = join(folder.path, 'data');
  const program = await startProgram({ dataDir });
  const call = await signIn(dataDir, program.url);
  return {
    program,
    folder: folder.path,
    key: createKey(dataDir),
    call,
    tasks: async () => ((await call('GET', '/tasks')) as unknown as { tasks: Task[] }).tasks,
    async close() {
      await program.stop();
      folder.remove();
    },
  };
}

export interface Ended {
  code: number;
  out: string;
  err: string;
}

/** Runs a program to its end, with `input` on its standard input. */
export function runToEnd(
  command: string,
  args: readonly string[],
  env: Record<string, string>,
  input = '',
): Promise<Ended> {
  return new Promise((resolve) => {
    const child = execFile(command, [...args], { env }, (error, out, err) =>
      resolve({ code: error === null ? 0 : Number(error.code), out, err }),
    );
    // One that ends without reading it.
    child.stdin?.on('error', () => undefined);
    child.stdin?.end(input);
  });
}
