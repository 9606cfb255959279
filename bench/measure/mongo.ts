// A MongoDB server of a measurement's own.
import { databaseUrl, startMongo } from '#test/services/mongodb.ts';

/** Measures on a new database; says why, with exit code 2, where no server can be had. */
export async function onMongo(measure: (url: string) => Promise<void>): Promise<void> {
  const found = await startMongo();
  if ('missing' in found) {
    console.error(found.missing);
    process.exitCode = 2;
    return;
  }
  await measure(databaseUrl(found.service.url, 'measured'));
  await found.service.stop();
}
