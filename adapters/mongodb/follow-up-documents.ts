// What owners want done about tasks that nobody acknowledges, as documents and back.
import type { FollowUps } from '#core/domain/follow-ups.ts';
import type { Database, Versioned } from './server/collection.ts';

/** `_id` is the owner's. */
export interface FollowUpDocument extends Versioned {
  /** JSON. */
  record: string;
}

export const followUpsOf = (database: Database) => database.collection<FollowUpDocument>('follow_ups');

export function followUpDocument(followUps: FollowUps): FollowUpDocument {
  return { _id: followUps.ownerId, v: 1, record: JSON.stringify(followUps) };
}

export function toFollowUps({ record }: FollowUpDocument): FollowUps {
  return JSON.parse(record) as FollowUps;
}
