// The question before a sign-out that would lose changes. The frame of the page shows it.
import { createEmitter } from '../emitter.ts';

export interface SignOutQuestion {
  /** Changes that the server does not have. */
  changes: number;
  answer: (signOut: boolean) => void;
}

const changed = createEmitter<[SignOutQuestion | null]>();

/** The listener gets each question, and null once it is answered. */
export const subscribeToQuestion = changed.subscribe;

/** Resolves with whether to sign out all the same. */
export function askToSignOut(changes: number): Promise<boolean> {
  return new Promise((resolve) => {
    changed.emit({
      changes,
      answer: (signOut) => {
        changed.emit(null);
        resolve(signOut);
      },
    });
  });
}
