// What one caller can do to the others, in small: the normal user's every action succeeds, the abuser gets
// what is documented, and memory stays below its bound. How fast, `npm run test:abuse` measures.
import { describe, expect, it } from 'vitest';
import { measure } from './measure.ts';
import { SCENARIOS } from './scenarios.ts';

const SMALL = {
  slices: 1,
  warmSeconds: 0,
  aloneSeconds: 1,
  besideSeconds: 3,
  perSecond: 20,
  repeats: 0,
  maxTasks: 1000,
};

describe('a normal user is served', () => {
  it.each(SCENARIOS)('beside $title', async (scenario) => {
    const { wrong, answers, beforeMiB, peakMiB } = await measure(scenario, SMALL);
    expect(wrong).toEqual([]);
    const given = Object.keys(answers);
    expect(given.filter((answer) => !scenario.answers.test(answer))).toEqual([]);
    expect(given).toContainEqual(expect.stringMatching(scenario.refusals));
    expect(peakMiB - beforeMiB).toBeLessThan(scenario.boundMiB);
  });
});
