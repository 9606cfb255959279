// Finds, downloads or builds what the services of the tests need, and says what became of it, so that its minutes are seen as
// such and not as a slow test.
import { startMongo } from './mongodb.ts';

if ((process.env['MONGODB_TEST_URL'] ?? '') === '') {
  const found = await startMongo((why) => process.stdout.write(`Passed over: ${why}.\n`));
  if ('missing' in found) process.stdout.write(`${found.missing}\n`);
  else {
    process.stdout.write(`Tests run on ${found.service.kind}.\n`);
    await found.service.stop();
  }
}
