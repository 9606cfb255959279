// 1,000 tasks (or $TASKS) whose escalations are under way while what does their steps is killed ten times (or
// $KILLS); in both sizes, or only in $SIZE (embedded, production).
import { expect, test } from 'vitest';
import { describeSteps, escalateUnderKills, startWays } from './escalations.ts';
import { startEmbedded, startProduction } from './webhooks-out.ts';

const many = Number(process.env['TASKS'] ?? 1000);
const kills = Number(process.env['KILLS'] ?? 10);
const only = process.env['SIZE'];
const sizes = (
  [
    ['embedded', startEmbedded],
    ['production', startProduction],
  ] as const
).filter(([size]) => only === undefined || only === size);

test.each(sizes)('no step of %s is lost or doubled', { timeout: 3_600_000 }, async (size, start) => {
  const ways = await startWays();
  const stage = await start(ways.env);
  if ('missing' in stage) throw new Error(stage.missing);
  try {
    const steps = await escalateUnderKills(stage, ways, { tasks: many, kills, minutes: 4 });
    process.stdout.write(`${size}: ${describeSteps(steps)}`);
    for (const came of steps.came) expect(came).toMatchObject({ lost: [], needless: [], doubled: [] });
  } finally {
    await stage.stop();
    await ways.close();
  }
});
