// Stores intakes and their deliveries. Tokens arrive hashed, secrets encrypted. Every method throws
// SERVICE_UNAVAILABLE when storage does not answer; writes are durable when they resolve, but where it says
// so.
import type { DeliveryRecord, IntakeRecord } from '../domain/intake.ts';

/** How many deliveries of one intake are stored. */
export const MAX_DELIVERIES = 50;

/** Revoked intakes of one owner that stay stored, so that making and revoking in a loop fills no disk. */
export const STORED_REVOKED_INTAKES = 100;

/** A pure rule, applied atomically, perhaps more than once; the same object changes nothing. */
export type IntakeRule = (intake: IntakeRecord) => IntakeRecord;

export interface IntakeStore {
  /**
   * False, and none that is not revoked is changed, when the owner has `limit` of them. Of the owner's
   * revoked intakes the latest {@link STORED_REVOKED_INTAKES} stay stored, and what was revoked since.
   */
  create(intake: IntakeRecord, limit: number): Promise<boolean>;
  /** The owner's intake that is not revoked, else null. */
  get(ownerId: string, id: string): Promise<IntakeRecord | null>;
  /** The owner's intakes that are not revoked, newest (greatest id) first. */
  list(ownerId: string): Promise<IntakeRecord[]>;
  /**
   * Null when the owner has no such intake that is not revoked. Tokens that the rule drops end at once; where
   * it revokes the intake, its deliveries go.
   */
  change(ownerId: string, id: string, rule: IntakeRule): Promise<IntakeRecord | null>;
  /** The intake with a token of this hash that is good at `now`; null when there is none or it is revoked. */
  findByTokenHash(hash: string, now: number): Promise<IntakeRecord | null>;
  /** Notes when an intake last took something in; may lag and may be lost in a crash. */
  touch(id: string, at: number): Promise<void>;

  /**
   * Replaces those with the same id; nothing is stored of an intake that is revoked. Each intake's latest
   * {@link MAX_DELIVERIES} stay; older ones go at the latest with the tenth that comes after.
   */
  addDeliveries(deliveries: readonly DeliveryRecord[]): Promise<void>;
  /** Latest (greatest id) first, at most {@link MAX_DELIVERIES}; none when the intake is another's. */
  listDeliveries(ownerId: string, intakeId: string, limit: number): Promise<DeliveryRecord[]>;
  /** One of them, else null. */
  getDelivery(ownerId: string, intakeId: string, id: string): Promise<DeliveryRecord | null>;
  /** Replaces what is known of a delivery's outcome; nothing happens when it is gone. */
  changeDelivery(id: string, changes: DeliveryChanges): Promise<void>;
  /** Removes deliveries from before `now - DELIVERY_TTL_MS`, and intakes revoked before that. */
  purge(now: number): Promise<void>;
}

/** The outcome of a delivery, known after it was stored. */
export type DeliveryChanges = Partial<Pick<DeliveryRecord, 'verdict' | 'reason' | 'taskIds'>>;

/** How long deliveries are stored: 7 days. */
export const DELIVERY_TTL_MS = 7 * 24 * 60 * 60_000;
