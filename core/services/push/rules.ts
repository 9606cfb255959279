// What is pushed to the devices of a user, and when: read and replaced.
import type { PushRules } from '#core/contract/index.ts';
import { DEFAULT_RULES } from '#core/domain/push.ts';
import { isTimeZone } from '#core/domain/time-zone.ts';
import { invalid } from '#core/errors.ts';
import type { Clock } from '#core/ports/clock.ts';
import type { EventBus } from '#core/ports/event-bus.ts';
import type { PushStore } from '#core/ports/push-store.ts';

interface Parts {
  store: PushStore;
  bus: EventBus;
  clock: Clock;
}

const MAX_DO_NOT_DISTURB_MS = 366 * 24 * 3_600_000;

export type PushRulesService = ReturnType<typeof createPushRules>;

export function createPushRules({ store, bus, clock }: Parts) {
  return {
    async get(ownerId: string): Promise<PushRules> {
      return rulesAt((await store.get(ownerId))?.rules ?? DEFAULT_RULES, clock.now());
    },

    /** Whether there can be such rules. VALIDATION_ERROR. */
    check: (wanted: PushRules): void => requireRules(wanted, clock.now()),

    /** Replaces the rules. VALIDATION_ERROR. */
    async set(ownerId: string, wanted: PushRules): Promise<PushRules> {
      requireRules(wanted, clock.now());
      const rules = rulesAt(wanted, clock.now());
      await store.change(ownerId, (record) => ({ ...record, rules, rulesSince: clock.now() }));
      bus.publish({ kind: 'access', userId: ownerId });
      // What is held is looked at anew: of it, the new rules may let through some, or hold all for longer.
      await store.holdUntil(ownerId, clock.now());
      return rules;
    },
  };
}

/** The rules as they are stored at `now`: a time that is past says nothing any more. */
export function rulesAt(rules: PushRules, now: number): PushRules {
  const { doNotDisturbUntil: until } = rules;
  return until !== null && Date.parse(until) <= now ? { ...rules, doNotDisturbUntil: null } : rules;
}

function requireRules({ intakes, tags, quiet, doNotDisturbUntil }: PushRules, now: number): void {
  for (const [field, values] of Object.entries({ intakes, tags }))
    if (values?.some((value) => !value.isWellFormed()) === true)
      throw invalid([{ field, message: 'must be well-formed Unicode' }]);
  if (quiet !== null && !isTimeZone(quiet.zone))
    throw invalid([{ field: 'quiet/zone', message: 'must be a time zone such as Europe/Berlin' }]);
  if (quiet !== null && quiet.from === quiet.to)
    throw invalid([{ field: 'quiet/to', message: 'must be another time of day than the beginning' }]);
  const until = doNotDisturbUntil === null ? now : Date.parse(doNotDisturbUntil);
  // A time that no clock shows, such as a leap second, is not a number.
  if (!(until <= now + MAX_DO_NOT_DISTURB_MS))
    throw invalid([{ field: 'doNotDisturbUntil', message: 'must be a time within a year from now' }]);
}
