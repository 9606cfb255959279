// Programs that run or check the files for deployment, out of Python packages.
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { plainEnvironment, root } from '#test/program/program.ts';
import { installPackages } from '#test/services/python.ts';

/** The folder with the tools, installed now if they were not, or why there are none. */
export const tools = await installPackages('deploy-tools', join(import.meta.dirname, 'requirements.txt'));
if ('missing' in tools && process.env['REQUIRE_SERVICES'] === '1') throw new Error(tools.missing);

/** The path of one, and the environment that it needs. */
export function tool(name: string): { path: string; env: Record<string, string> } {
  if ('missing' in tools) throw new Error(tools.missing);
  return { path: join(tools.path, 'bin', name), env: plainEnvironment({ PYTHONPATH: tools.path }) };
}

/** What a tool said, and 0 when it found nothing. */
export function check(name: string, args: readonly string[]): { status: number | null; said: string } {
  const { path, env } = tool(name);
  const { status, stdout, stderr } = spawnSync(path, args, { cwd: root, env, encoding: 'utf8' });
  return { status, said: stdout + stderr };
}

/** The documents of a file of YAML. */
export function readYaml(path: string): unknown[] {
  const { env } = tool('python3');
  const script = 'import json,sys,yaml; print(json.dumps(list(yaml.safe_load_all(open(sys.argv[1])))))';
  const { stdout, stderr } = spawnSync('python3', ['-c', script, path], { env, encoding: 'utf8' });
  if (stdout === '') throw new Error(stderr);
  return JSON.parse(stdout) as unknown[];
}
