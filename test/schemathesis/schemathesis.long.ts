// As schemathesis.test.ts, ten times as long.
import { expect, it } from 'vitest';
import { installSchemathesis, testApi } from './run.ts';

it('answers 20,000 generated calls with nothing but what is documented', { timeout: 3_600_000 }, async () => {
  const found = await installSchemathesis();
  if ('missing' in found) throw new Error(found.missing);
  const report = await testApi(found.path, 500);
  expect(report.passed, report.output).toBe(true);
  expect(report.cases).toBeGreaterThanOrEqual(20_000);
});
