// The rate limits of a single process keep the promises of the port.
import { describeRateLimiter } from '#test/contract/rate-limiter.suite.ts';
import { createFakeClock } from '#test/helpers/clock.ts';
import { createLocalRateLimiter } from './rate-limiter.ts';

describeRateLimiter('local', {
  async create() {
    const clock = createFakeClock();
    return {
      limiters: [createLocalRateLimiter(clock)],
      async pass(ms) {
        clock.advance(ms);
      },
      async setBack(ms) {
        clock.jump(-ms);
      },
      async dispose() {},
    };
  },
});
