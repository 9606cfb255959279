// Lets in clients of other hubs that show queues, by API keys, as the API itself would.
import { QinboxError } from '#core/errors.ts';
import type { Readers } from '#core/ports/adapter/subscription.ts';
import { authorise, mayWrite, principalKey } from '#core/services/principal.ts';
import type { Parts } from '../services.ts';
import { keyWindows, refusalOf } from '../plugins/rate-limit.ts';

type Deps = Pick<Parts, 'access' | 'config' | 'feed' | 'intakes' | 'limiter'>;

export function createReaders({ access, config, feed, intakes, limiter }: Deps): Readers {
  const windows = keyWindows(config);
  return {
    async authenticate(apiKey, wanted) {
      const principal = await access.authenticate({ authorization: undefined, apiKey });
      if (principal.kind === 'guest') throw new QinboxError('UNAUTHORIZED');
      const counted = await limiter.take(principalKey(principal), windows);
      if (!counted.allowed) throw refusalOf(counted.states);
      authorise(principal, wanted);
      const { ownerId } = principal;
      return {
        ownerId,
        mayWrite: mayWrite(principal),
        subscribe: (options) => feed.subscribe(principal, options),
        intakes: () => intakes.list(ownerId),
      };
    },
  };
}
