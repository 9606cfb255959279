// What is stored of an account, read for its file and for its owner's eyes. Only the owner's own.
import type { PushRules } from '#core/contract/index.ts';
import { isKeyExpired, type ApiKeyRecord, type UserRecord } from '#core/domain/account.ts';
import { noFollowUps, type FollowUps } from '#core/domain/follow-ups.ts';
import type { IntakeRecord } from '#core/domain/intake.ts';
import type { Task } from '#core/domain/task.ts';
import type { WebhookRecord } from '#core/domain/webhook.ts';
import { QinboxError } from '#core/errors.ts';
import type { Clock } from '#core/ports/clock.ts';
import type { Storage } from '#core/ports/storage.ts';
import { requireAllowed, type IsAllowed } from '#core/services/principal.ts';

/** All but the tasks. */
export interface AccountContents {
  user: UserRecord;
  /** Null until they are chosen. */
  pushRules: PushRules | null;
  followUps: FollowUps;
  keys: readonly ApiKeyRecord[];
  webhooks: readonly WebhookRecord[];
  intakes: readonly IntakeRecord[];
  devices: number;
}

interface Parts {
  storage: Pick<Storage, 'accounts' | 'push' | 'followUps' | 'webhooks' | 'intakes' | 'tasks'>;
  clock: Clock;
}

/** Tasks that are read at once. */
const PAGE = 500;

export type AccountExport = ReturnType<typeof createAccountExport>;

export function createAccountExport({ storage, clock }: Parts) {
  const { accounts, push, followUps, webhooks, intakes, tasks } = storage;
  /** Owners whose files are being made. */
  const underWay = new Set<string>();

  async function* readTasks(ownerId: string): AsyncGenerator<readonly Task[]> {
    const now = clock.now();
    for (let after = ''; ;) {
      const range = { ownerId, after, order: 'ascending', limit: PAGE, now, asleep: true } as const;
      const page = await tasks.listById(range);
      const last = page.at(-1);
      if (last === undefined) return;
      yield page;
      after = last.id;
    }
  }

  return {
    async contents(ownerId: string): Promise<AccountContents> {
      const user = await accounts.getUser(ownerId);
      if (user === null) throw new QinboxError('NOT_FOUND', 'There is no such user.');
      const now = clock.now();
      const [chosen, followed, keys, told, addresses] = await Promise.all([
        push.get(ownerId),
        followUps.get(ownerId),
        accounts.listKeys(ownerId),
        webhooks.list(ownerId),
        intakes.list(ownerId),
      ]);
      return {
        user,
        pushRules: chosen?.rules ?? null,
        followUps: followed ?? noFollowUps(ownerId),
        keys: keys.filter((key) => !isKeyExpired(key, now)),
        webhooks: told,
        intakes: addresses,
        devices: chosen?.devices.length ?? 0,
      };
    },

    /** How many live tasks there are, snoozed ones included. */
    async countTasks(ownerId: string): Promise<number> {
      const { total, snoozed } = await tasks.statistics(ownerId, clock.now());
      return total + snoozed;
    },

    /** The live tasks, snoozed ones included, oldest first: a page at a time, when it is asked for. */
    tasks: readTasks,

    /**
     * The same for a file. CONFLICT while another one is made for the owner in this process. Reading throws
     * UNAUTHORIZED once the caller may no longer have it: its session has ended, its account is deleted.
     */
    begin(ownerId: string, isAllowed: IsAllowed): { tasks: AsyncIterable<readonly Task[]>; end: () => void } {
      if (underWay.has(ownerId))
        throw new QinboxError('CONFLICT', 'An export is under way already. Wait for its end.', {
          retryAfterSeconds: 5,
        });
      underWay.add(ownerId);
      const end = (): void => void underWay.delete(ownerId);
      async function* untilEnd(): AsyncGenerator<readonly Task[]> {
        try {
          for await (const page of readTasks(ownerId)) {
            await requireAllowed(isAllowed);
            yield page;
          }
        } finally {
          end();
        }
      }
      return { tasks: untilEnd(), end };
    },
  };
}
