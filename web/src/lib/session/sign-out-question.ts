// The question before a sign-out that would lose something. Whoever draws the page answers it.

export interface SignOutQuestion {
  /** How many changes the server has not heard of. */
  changes: number;
  answer: (leave: boolean) => void;
}

let question: SignOutQuestion | null = null;
const listeners = new Set<() => void>();

export function currentQuestion(): SignOutQuestion | null {
  return question;
}

export function subscribeToQuestion(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** Resolves with whether to sign out all the same. */
export function askToSignOut(changes: number): Promise<boolean> {
  return new Promise((resolve) => {
    put({
      changes,
      answer: (leave) => {
        put(null);
        resolve(leave);
      },
    });
  });
}

function put(next: SignOutQuestion | null): void {
  question = next;
  for (const listener of [...listeners]) listener();
}
