import type { Submission } from './submission.ts';

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
