// 100,000 events (or $EVENTS) into receivers that take, lie, die and hang, while what sends is killed ten
// times (or $KILLS); in both sizes, or only in $SIZE (embedded, production). Then how long a quick receiver
// waits for its messages, by itself and beside one that hangs.
import { expect, test } from 'vitest';
import { startReceiver } from '#test/helpers/receivers.ts';
import { waitFor } from '#test/program/wait.ts';
import {
  describeFates,
  signInAt,
  startEmbedded,
  startProduction,
  tellUnderKills,
  type Call,
} from './webhooks-out.ts';

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
const EVERY_MS = 20;

/** How long after its time each of so many tasks was told, in milliseconds. */
async function latencies(call: Call, quick: Awaited<ReturnType<typeof startReceiver>>): Promise<number[]> {
  const from = quick.received.length;
  for (let n = 0; n < PACED; n++) {
    const next = performance.now() + EVERY_MS;
    await call('POST', '/tasks', { content: `paced ${n}` });
    await new Promise((resolve) => setTimeout(resolve, Math.max(0, next - performance.now())));
  }
  await waitFor('the messages', () => quick.received.length >= from + PACED);
  return quick.received
    .slice(from)
    .map(({ at, body }) => at - Date.parse((JSON.parse(body) as { timestamp: string }).timestamp))
    .toSorted((a, b) => a - b);
}

test.each(sizes)(
  'a receiver that hangs costs a quick one nothing: %s',
  { timeout: 600_000 },
  async (size, start) => {
    const stage = await start();
    if ('missing' in stage) throw new Error(stage.missing);
    const quick = await startReceiver();
    const hanging = await startReceiver(() => {});
    try {
      const call = await signInAt(stage);
      const add = (name: string, url: string) =>
        call('POST', '/webhooks', { name, url, events: ['task.created'] });
      await add('quick', quick.url);
      await latencies(call, quick);
      const alone = await latencies(call, quick);
      for (let n = 0; n < 5; n++) await add(`hanging ${n}`, hanging.url);
      const beside = await latencies(call, quick);
      const shown = [alone, beside].map((all) =>
        [0.5, 0.95, 0.99].map((part) => `${all[Math.floor(all.length * part)]} ms`).join(' '),
      );
      process.stdout.write(`${size}: p50 p95 p99 alone ${shown[0]}, beside five that hang ${shown[1]}\n`);
      expect(beside[Math.floor(PACED * 0.95)]).toBeLessThan(2000);
    } finally {
      await stage.stop();
      await quick.close();
      await hanging.close();
    }
  },
);
