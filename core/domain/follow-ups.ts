// What an owner wants done about tasks that nobody acknowledges.
import type { Digest } from '../contract/index.ts';
import type { EscalationRecord } from './escalation.ts';

/** As it is stored, one for each owner. */
export interface FollowUps {
  readonly ownerId: string;
  /** At most one for each intake, and one for all else; the oldest first. */
  readonly escalations: readonly EscalationRecord[];
  /** Null while it is off. */
  readonly digest: Digest | null;
  /** No digest is due before then, in milliseconds: that of the day has come. Absent where none has. */
  readonly digestFrom?: number;
}

/** Those of an owner of whom nothing is stored. */
export function noFollowUps(ownerId: string): FollowUps {
  return { ownerId, escalations: [], digest: null };
}
