// Stores what owners want done about tasks that nobody acknowledges. Secrets arrive encrypted. Every method
// throws SERVICE_UNAVAILABLE when storage does not answer; writes are durable when they resolve. The task
// store adds the work of them in the atomic write of a change; a change of them has effect on that within a
// second in every process.
import type { FollowUps } from '../domain/follow-ups.ts';

export interface FollowUpStore {
  /** Null when nothing is stored. */
  get(ownerId: string): Promise<FollowUps | null>;
  /**
   * Applies a pure rule atomically, perhaps more than once, and answers the outcome; the same object changes
   * nothing. An owner of whom nothing is stored has none (`noFollowUps`).
   */
  change(ownerId: string, rule: (followUps: FollowUps) => FollowUps): Promise<FollowUps>;
}
