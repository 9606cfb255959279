// Stores webhooks out. Secrets arrive encrypted. Every method throws SERVICE_UNAVAILABLE when storage does
// not answer; writes are durable when they resolve. What a webhook is told is work (work-store.ts): the task
// store adds it in the atomic write of the change itself. A change of a webhook has effect on that within a
// second in every process.
import type { WebhookRecord } from '../domain/webhook.ts';

/** A pure rule, applied atomically, perhaps more than once; the same object changes nothing. */
export type WebhookRule = (webhook: WebhookRecord) => WebhookRecord;

export interface WebhookStore {
  /** False, with nothing changed, when the owner has `limit`. */
  create(webhook: WebhookRecord, limit: number): Promise<boolean>;
  /** The owner's webhook, else null. */
  get(ownerId: string, id: string): Promise<WebhookRecord | null>;
  /** The owner's webhooks, oldest (least id) first. */
  list(ownerId: string): Promise<WebhookRecord[]>;
  /** Null when the owner has no such webhook. */
  change(ownerId: string, id: string, rule: WebhookRule): Promise<WebhookRecord | null>;
  /** Whether there was one. */
  remove(ownerId: string, id: string): Promise<boolean>;
}
