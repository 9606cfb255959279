// Programs that run or check the files for deployment, out of Python packages.
import { join } from 'node:path';
import { plainEnvironment } from '#test/program/program.ts';
import { installPackages } from '#test/services/python.ts';

/** The folder with the tools, installed now if they were not, or why there are none. */
export const tools = await installPackages('deploy-tools', join(import.meta.dirname, 'requirements.txt'));
if ('missing' in tools && process.env['REQUIRE_SERVICES'] === '1') throw new Error(tools.missing);

/** The path of one, and the environment that it needs. */
export function tool(name: string): { path: string; env: Record<string, string> } {
  if ('missing' in tools) throw new Error(tools.missing);
  return { path: join(tools.path, 'bin', name), env: plainEnvironment({ PYTHONPATH: tools.path }) };
}
