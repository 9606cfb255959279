// Downloads mongod. Arguments: the folder, the version, and for how many milliseconds nothing may arrive.
// Prints its path on the last line once it runs; otherwise ends with 1 and says why on the last line of
// stderr.
import { execFileSync } from 'node:child_process';
import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { MongoBinary } from 'mongodb-memory-server-core';

const [folder = '', version = '', stallMs = ''] = process.argv.slice(2);

let size = 0;
let grewAt = performance.now();
setInterval(() => {
  const now = sizeOfAll();
  if (now !== size) grewAt = performance.now();
  size = now;
  if (performance.now() - grewAt > Number(stallMs)) fail(`nothing arrived within ${stallMs} ms`);
}, 200);

try {
  const path = await MongoBinary.getPath({ version, downloadDir: folder });
  // It may want a library that this machine does not have.
  execFileSync(path, ['--version'], { stdio: ['ignore', 'ignore', 'pipe'] });
  process.stdout.write(`\n${path}\n`, () => process.exit(0));
} catch (error) {
  fail(String(error).replaceAll('\n', ' '));
}

function sizeOfAll(): number {
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' });
  return files.reduce(
    (sum, file) => sum + (statSync(join(folder, file), { throwIfNoEntry: false })?.size ?? 0),
    0,
  );
}

function fail(why: string): void {
  process.stderr.write(`\n${why}\n`, () => process.exit(1));
}
