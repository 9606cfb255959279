// MongoDB's own tools, for the tests that run what the documentation says of them: mongodump and mongorestore
// of this machine, and mongosh of this machine or as locked here.
import { join } from 'node:path';
import { installModules } from '#test/services/javascript.ts';
import { findProgram } from '#test/services/service.ts';

/** How to run each, before its arguments; or why there is none. */
export type MongoTools<Name extends string> = { commands: Record<Name, string[]> } | { missing: string };

/** MongoDB's shell. */
export async function findMongosh(): Promise<MongoTools<'mongosh'>> {
  const found = findProgram('mongosh');
  if (found !== null) return { commands: { mongosh: [found] } };
  const modules = await installModules('mongosh', join(import.meta.dirname, 'mongosh'));
  if ('missing' in modules) return modules;
  const script = join(modules.path, 'node_modules', 'mongosh', 'bin', 'mongosh.js');
  return { commands: { mongosh: [process.execPath, script] } };
}

/** What copies databases. */
export function findDumpTools(): MongoTools<'mongodump' | 'mongorestore'> {
  const [mongodump, mongorestore] = [findProgram('mongodump'), findProgram('mongorestore')];
  if (mongodump === null || mongorestore === null)
    return { missing: "there is no mongodump or mongorestore on the PATH (MongoDB's database tools)" };
  return { commands: { mongodump: [mongodump], mongorestore: [mongorestore] } };
}
