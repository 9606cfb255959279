// Writes to people and channels of a chat as the app that is connected to it, so that what was written can be
// found again by its id.
import type { Task } from '../domain/task.ts';

/** Where an owner may have it write. */
export interface ChatPlace {
  /** Of an account, `T0123ABCD:U0123ABCD`, or of a channel, `C0123ABCD`. */
  id: string;
  /** For people. */
  name: string;
}

/** A message, as plain text. */
export interface ChatMessage {
  ownerId: string;
  /** The id of one of the owner's places. */
  place: string;
  /** Is found by it, and not shown. */
  id: string;
  /** Of 150 characters at the most; what it leaves out is in the body. Shown whole. */
  title: string;
  body: string;
  /** About the task, and why it is said. */
  note: string;
  /** Where the task is. */
  link: string;
  /** The task that it has buttons for; null for none. */
  task: Task | null;
}

/** What came of a call. `reason` is a sentence without its point. */
export type ChatAnswer =
  | { readonly kind: 'done' }
  /** It would be refused again. */
  | { readonly kind: 'refused'; readonly reason: string }
  /** It may have been done nevertheless. `waitMs`: as long as the chat asks for, or null. */
  | { readonly kind: 'unavailable'; readonly reason: string; readonly waitMs: number | null };

/** No method throws for what the chat does; each throws SERVICE_UNAVAILABLE when storage does not answer. */
export interface Chat {
  /** The owner's own accounts, then the channels that are tied to the owner. */
  places(ownerId: string): Promise<readonly ChatPlace[]>;
  /** Whether a message came that was sent at about `at`, in milliseconds, give or take five minutes. */
  find(
    message: Pick<ChatMessage, 'ownerId' | 'place' | 'id'>,
    at: number,
  ): Promise<ChatAnswer | { readonly kind: 'none' }>;
  post(message: ChatMessage): Promise<ChatAnswer>;
}
