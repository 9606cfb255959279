// The two sizes of the program, to a client, are one: the same calls get the same answers from SQLite in one
// process as from MongoDB and Redis.
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startRedis, withoutRedis, type RedisServer } from '#test/faults/redis-server.ts';
import { buildFixture, type Fixture } from '#test/helpers/app.ts';
import { createMongoHarness, type MongoUnderTest } from '#test/services/mongo-harness.ts';
import { describeWith, sharedMongo } from '#test/services/services.ts';
import { createCaller } from './caller.ts';
import { steps } from './calls.ts';

/** More of both, and another seed, for a long search. */
const RUNS = Number(process.env['SIZES_RUNS'] ?? 20);
const STEPS = Number(process.env['SIZES_STEPS'] ?? 25);
const SEED = Number(process.env['SIZES_SEED'] ?? 20_261_121);

describe.skipIf(withoutRedis !== null)('the embedded and the production size', async () => {
  describeWith('the production size', await sharedMongo(), ({ url }) => {
    let mongo: MongoUnderTest;
    let redis: RedisServer;
    let sizes: readonly [Fixture, Fixture];
    let people = 0;

    beforeAll(async () => {
      mongo = createMongoHarness(url);
      redis = await startRedis();
      const secret = { JWT_SECRET: 's'.repeat(32) };
      sizes = [
        await buildFixture(secret),
        await buildFixture({ ...secret, MONGODB_URL: mongo.url, REDIS_URL: redis.url }),
      ];
    });
    afterAll(async () => {
      await Promise.all((sizes ?? []).map((size) => size.close()));
      await redis?.remove();
      await mongo?.drop();
    });

    it('answer the same to the same calls', async () => {
      await fc.assert(
        fc.asyncProperty(steps(STEPS), async (all) => {
          const email = `person${++people}@example.com`;
          const [embedded, production] = await Promise.all(sizes.map((size) => createCaller(size, email)));
          for (const [index, step] of all.entries()) {
            const told = await production?.take(step);
            expect(told, `step ${index}: ${JSON.stringify(step)}`).toEqual(await embedded?.take(step));
          }
        }),
        { numRuns: RUNS, seed: SEED, endOnFailure: process.env['SIZES_SHRINK'] === undefined },
      );
    });
  });
});
