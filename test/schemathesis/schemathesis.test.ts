// The API does what its own document says, and nothing else: thousands of generated calls. `npm run
// test:schema` makes more.
import { describe, expect, it } from 'vitest';
import { installSchemathesis, testApi } from './run.ts';

const found = await installSchemathesis();
if ('missing' in found && process.env['REQUIRE_SERVICES'] === '1') throw new Error(found.missing);

describe('the API, called as its document allows and as it does not', () => {
  it('answers with nothing but what is documented', { timeout: 1_800_000 }, async ({ skip }) => {
    if ('missing' in found) return skip(found.missing);
    const report = await testApi(found.path, 5, 1);
    expect(report.passed, report.output).toBe(true);
    expect(report.cases).toBeGreaterThanOrEqual(2000);
  });
});
