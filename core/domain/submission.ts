// A submission: tasks that one sender sends at once, on their way from the adapter to the store.
import { MAX_KEY_CHARACTERS } from '../contract/index.ts';
import { fingerprintOf } from './hash.ts';
import type { TaskDraft } from './task.ts';

/** One task to make. Its id was chosen beforehand, so that doing it twice makes it once. */
export interface TaskInsert {
  id: string;
  draft: TaskDraft;
}

/** A promise to do something once: an Idempotency-Key of a caller, or a delivery id of an intake. */
export interface Claim {
  /** Namespace of the key: `key:<id>`, `user:<id>`, `intake:<id>`, `adapter:<id>:<owner id>`. */
  scope: string;
  /** 1..255 characters. */
  key: string;
  /** Hash of the request; null when a repeat need not be the same (delivery ids). */
  fingerprint: string | null;
}

/** Plain data: it crosses process boundaries as JSON. */
export interface Submission {
  /** Unique. Only of one with neither inserts nor a claim, which tell all others apart. */
  id?: string;
  ownerId: string;
  /** Id of the ingestion adapter that took it in: `rest`, `webhook`, … */
  adapter: string;
  /** Up to 500, in order. All or none become durable; without transactions, a retry completes them. */
  inserts: readonly TaskInsert[];
  /** Dedupe keys to resolve (`resolveTask`) before the inserts. Up to 500; at least one insert or key. */
  resolves?: readonly string[];
  claim?: Claim;
  /** Id of the delivery to an intake that it came with, whose record shows the outcome. */
  delivery?: string;
  /** When it was taken in, in milliseconds: `createdAt` of its tasks. */
  at: number;
  /** Id of its rejection, when it is tried again after that. */
  retryOf?: string;
  /** Of the span that took it in, as W3C `traceparent`; only while the server traces. */
  trace?: string;
  /** Of the request that brought it, for the logs of the process that carries it out. */
  requestId: string;
}

/** A submission that could not become tasks. */
export interface RejectedSubmission {
  id: string;
  submission: Submission;
  /** Code and public text of the error of the last attempt. */
  code: string;
  reason: string;
  attempts: number;
  /** In milliseconds. */
  rejectedAt: number;
}

/** How long a rejected submission is stored: 24 hours. */
export const REJECTED_TTL_MS = 24 * 60 * 60_000;

/** The claim of an Idempotency-Key: a repeat must ask for the same drafts. */
export function idempotencyClaim(scope: string, key: string, drafts: readonly TaskDraft[]): Claim {
  // `reopens` is a setting of intakes; no caller of the API sends it.
  const sent = drafts.map((draft) => ({ ...draft, reopens: undefined }));
  return { scope, key, fingerprint: fingerprintOf(sent) };
}

/** The claim that repeats of one delivery share. A key that is too long becomes its fingerprint. */
export function replayClaim(scope: string, replayKey: string | null): Claim | undefined {
  if (replayKey === null) return undefined;
  const key = replayKey.length <= MAX_KEY_CHARACTERS ? replayKey : fingerprintOf(replayKey);
  return { scope, key, fingerprint: null };
}

/**
 * What all attempts of one submission have in common, and no other submission has: its scope and key, or one
 * id. Older versions stored submissions with no id, inserts or claim: those have only their request id.
 */
export function identityOf({ claim, inserts, id, requestId }: Submission): readonly string[] {
  return claim === undefined ? [inserts[0]?.id ?? id ?? requestId] : [claim.scope, claim.key];
}

/** A submission from a queue or a store. The first versions named inserts `orders`, resolves `closes`. */
export function submissionOf(stored: object): Submission {
  const { orders, closes, ...submission } = stored as Submission & {
    orders?: Submission['inserts'];
    closes?: Submission['resolves'];
  };
  return {
    ...submission,
    inserts: submission.inserts ?? orders ?? [],
    ...(closes === undefined ? {} : { resolves: closes }),
  };
}
