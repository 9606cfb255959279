// As schemathesis.test.ts, ten times as long, and with other cases each time.
import { randomInt } from 'node:crypto';
import { expect, it } from 'vitest';
import { installSchemathesis, testApi } from './run.ts';

const CASES = 20_000;
/** In each round, for an operation and a kind. A round takes a few minutes. */
const EXAMPLES = 100;

it('answers 20,000 generated calls with nothing but what is documented', { timeout: 3_600_000 }, async () => {
  const found = await installSchemathesis();
  if ('missing' in found) throw new Error(found.missing);
  let cases = 0;
  while (cases < CASES) {
    const seed = randomInt(2 ** 31);
    const report = await testApi(found.path, EXAMPLES, seed);
    expect(report.passed, report.output).toBe(true);
    expect(report.cases).toBeGreaterThan(EXAMPLES);
    cases += report.cases;
    process.stdout.write(`${cases} of ${CASES} calls (${report.cases} of seed ${seed})\n`);
  }
});
