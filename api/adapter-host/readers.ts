// Lets in clients of other hubs that show queues, by API keys, as the API itself would.
import { contentOf } from '#core/domain/delivery.ts';
import { fingerprintOf } from '#core/domain/hash.ts';
import { newTask, type Task } from '#core/domain/task.ts';
import { QinboxError } from '#core/errors.ts';
import type { Readers } from '#core/ports/adapter/subscription.ts';
import { authorise, mayWrite, principalKey } from '#core/services/principal.ts';
import type { Parts } from '../services/services.ts';
import { keyWindows, refusalOf } from '../plugins/rate-limit.ts';

type Deps = Pick<Parts, 'access' | 'adapters' | 'config' | 'feed' | 'intakes' | 'limiter' | 'scheduled'>;

export function createReaders(deps: Deps): Readers {
  const { access, config, feed, intakes, limiter } = deps;
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
        scheduled: () => scheduledTasks(deps, ownerId),
        intakes: () => intakes.list(ownerId),
      };
    },
  };
}

/** The tasks that the owner's scheduled deliveries will make. */
async function scheduledTasks({ adapters, intakes, scheduled }: Deps, ownerId: string): Promise<Task[]> {
  const known = new Map((await intakes.list(ownerId)).map((intake) => [intake.id, intake]));
  const waiting = await scheduled.list(ownerId);
  return waiting.flatMap(({ key, scheduled: { dueAt, intakeId, parsed } }) => {
    const intake = known.get(intakeId);
    if (intake === undefined) return [];
    const { drafts } = contentOf(parsed, intake, adapters.sources.get(intake.adapter) ?? intake.adapter);
    return drafts.map((draft, index) =>
      newTask(draft, `task_${fingerprintOf([key, index])}`, ownerId, dueAt),
    );
  });
}
