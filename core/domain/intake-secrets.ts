// Changing an intake's secret: one previous secret stays good until its grace ends, so that the sender can be
// changed without losing a delivery.
import { DEFAULT_SECRET_GRACE_MINUTES } from '../contract/index.ts';
import type { IntakeRecord } from './intake.ts';

/** The secret that deliveries are proven with, and the one before it, among the secrets of a verification. */
const SECRET = 'secret';
export const PREVIOUS_SECRET = 'previousSecret';

const MINUTE_MS = 60_000;

type Secrets = Readonly<Record<string, string>>;

/** An intake's secrets, and when the previous one ends; null when there is none. */
export interface TimedSecrets {
  secrets: Secrets;
  previousUntil: number | null;
}

/** What is to become of the secrets. */
export interface SecretChange {
  /** What is kept of the same scheme at `now`; null for a new intake or another scheme. */
  before: TimedSecrets | null;
  /** As the plan has them: those of before, with what the owner gave. */
  wanted: Secrets;
  /** The owner gave or took away the previous secret in so many words. */
  saysPrevious: boolean;
  /** Null when the owner chose none. */
  graceMinutes: number | null;
  now: number;
}

/** The secrets after a change: one that is replaced stays as the previous one until the grace is over. */
export function changeSecrets({
  before,
  wanted,
  saysPrevious,
  graceMinutes,
  now,
}: SecretChange): TimedSecrets {
  const { [PREVIOUS_SECRET]: given, ...secrets } = wanted;
  const replaced = before?.secrets[SECRET];
  const isReplaced = replaced !== undefined && replaced !== secrets[SECRET];
  const previous = isReplaced && !saysPrevious ? replaced : given;
  if (previous === undefined || previous === secrets[SECRET]) return { secrets, previousUntil: null };

  const chosen = now + (graceMinutes ?? DEFAULT_SECRET_GRACE_MINUTES) * MINUTE_MS;
  // One that has its end already keeps it, or gets an earlier one.
  const end = previous === before?.secrets[PREVIOUS_SECRET] ? before.previousUntil : null;
  const until = end === null ? chosen : graceMinutes === null ? end : Math.min(end, chosen);
  if (until <= now) return { secrets, previousUntil: null };
  return { secrets: { ...secrets, [PREVIOUS_SECRET]: previous }, previousUntil: until };
}

/** When the previous secret ends. One stored before there were ends gets a day from the last change. */
export function previousSecretEnd({
  previousSecretUntil,
  updatedAt,
}: Pick<IntakeRecord, 'previousSecretUntil' | 'updatedAt'>): number | null {
  return previousSecretUntil === undefined
    ? updatedAt + DEFAULT_SECRET_GRACE_MINUTES * MINUTE_MS
    : previousSecretUntil;
}

/** Those that are good at `now`. */
export function secretsAt(secrets: Secrets, previousUntil: number | null, now: number): Secrets {
  if (secrets[PREVIOUS_SECRET] === undefined || (previousUntil !== null && now < previousUntil))
    return secrets;
  const { [PREVIOUS_SECRET]: _, ...good } = secrets;
  return good;
}
