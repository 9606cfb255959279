// Builds what the services of the tests need, so that its minutes are seen as such and not as a slow test.
import { buildFerretDb, needsFerretDb } from './mongodb.ts';

if (needsFerretDb()) {
  const begun = performance.now();
  const built = buildFerretDb();
  const seconds = Math.round((performance.now() - begun) / 1000);
  process.stdout.write('missing' in built ? `${built.missing}\n` : `FerretDB is built (${seconds} s).\n`);
}
