// 100,000 events (or $EVENTS) into receivers that take, lie, die and hang, while what sends is killed ten
// times (or $KILLS); in both sizes, or only in $SIZE (embedded, production). Then how long a quick receiver
// waits for its messages, by itself and beside one that hangs.
import { expect, test } from 'vitest';
import type { Receiver } from '#test/helpers/receivers.ts';
import { describeFates, signInAt, startEmbedded, startProduction, tellUnderKills } from './webhooks-out.ts';
import { addReceivers, latencies } from './webhooks-paced.ts';

const events = Number(process.env['EVENTS'] ?? 100_000);
const kills = Number(process.env['KILLS'] ?? 10);
const only = process.env['SIZE'];
const sizes = (
  [
    ['embedded', startEmbedded],
    ['production', startProduction],
  ] as const
).filter(([size]) => only === undefined || only === size);

test.each(sizes)(
  `of ${events} events none is lost, and none comes out of the order of its task: %s`,
  { timeout: 3 * 3_600_000 },
  async (size, start) => {
    const stage = await start();
    if ('missing' in stage) throw new Error(stage.missing);
    try {
      const fates = await tellUnderKills(stage, events, kills);
      process.stdout.write(`${size}: ${describeFates(fates)}`);
      for (const told of fates.told) expect(told).toMatchObject({ lost: [], outOfOrder: [] });
    } finally {
      await stage.stop();
    }
  },
);

const PACED = 600;

test.each(sizes)(
  'a receiver that hangs costs a quick one nothing: %s',
  { timeout: 600_000 },
  async (size, start) => {
    const stage = await start();
    if ('missing' in stage) throw new Error(stage.missing);
    try {
      const call = await signInAt(stage);
      const { receivers, remove } = await addReceivers(call, 'quick', 1);
      const [quick] = receivers as [Receiver];
      await latencies(call, quick, PACED);
      const alone = await latencies(call, quick, PACED);
      const hanging = await addReceivers(call, 'hanging', 5, () => {});
      const beside = await latencies(call, quick, PACED);
      const shown = [alone, beside].map((all) =>
        [0.5, 0.95, 0.99].map((part) => `${all[Math.floor(all.length * part)]} ms`).join(' '),
      );
      process.stdout.write(`${size}: p50 p95 p99 alone ${shown[0]}, beside five that hang ${shown[1]}\n`);
      expect(beside[Math.floor(PACED * 0.95)]).toBeLessThan(2000);
      await hanging.remove();
      await remove();
    } finally {
      await stage.stop();
    }
  },
);
