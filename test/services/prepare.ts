// Finds or downloads the services of the tests before they run, so that the minutes this takes do not look
// like a slow test.
import { startMongo } from './mongodb.ts';

if ((process.env['MONGODB_TEST_URL'] ?? '') === '') {
  const found = await startMongo((reason) => process.stdout.write(`Skipped: ${reason}.\n`));
  if ('missing' in found) process.stdout.write(`${found.missing}\n`);
  else {
    process.stdout.write(`Tests run on ${found.service.kind}.\n`);
    await found.service.stop();
  }
}
