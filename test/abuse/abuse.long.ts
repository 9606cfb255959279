// What one caller can do to the others, at full size: `npm run test:abuse`. Beside each abuser a normal
// user's slowest hundredth takes at most three times as long as without, nothing of what it does fails, and
// the server's memory stays below its bound.
import { afterAll, describe, expect, it } from 'vitest';
import { measure, type Result } from './measure.ts';
import { SCENARIOS } from './scenarios.ts';
import { tableOf } from './table.ts';

const FULL = { slices: 5, warmSeconds: 2, aloneSeconds: 8, besideSeconds: 8, perSecond: 30, repeats: 6 };
const MAX_RATIO = 3;

const results: Result[] = [];
afterAll(() => {
  process.stdout.write(`\n${tableOf(results)}\n\n`);
});

describe('a normal user is served alike', () => {
  it.each(SCENARIOS)('beside $title', async (scenario) => {
    const result = await measure(scenario, FULL);
    results.push(result);
    expect(result.wrong).toEqual([]);
    expect(Object.keys(result.answers).filter((answer) => !scenario.answers.test(answer))).toEqual([]);
    expect(result.peakMiB - result.beforeMiB).toBeLessThan(scenario.boundMiB);
    expect(result.ratio).toBeLessThanOrEqual(MAX_RATIO);
  });
});
