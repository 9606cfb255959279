// The question before a sign-out that would lose changes. The frame of the page shows it.
import { createEmitter } from '../emitter.ts';

export interface SignOutQuestion {
  /** Changes that the server does not have. */
  changes: number;
  answer: (signOut: boolean) => void;
}

let question: SignOutQuestion | null = null;
const changed = createEmitter();

export const subscribeToQuestion = changed.subscribe;

export function currentQuestion(): SignOutQuestion | null {
  return question;
}

/** Resolves with whether to sign out all the same. */
export function askToSignOut(changes: number): Promise<boolean> {
  return new Promise((resolve) => {
    show({
      changes,
      answer: (signOut) => {
        show(null);
        resolve(signOut);
      },
    });
  });
}

function show(next: SignOutQuestion | null): void {
  question = next;
  changed.emit();
}
