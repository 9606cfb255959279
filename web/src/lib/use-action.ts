// A call that a person started: whether it is running, and why the last one failed.
import { useState } from 'react';
import type { Problem } from './api/api-error.ts';

export function useAction<P = Problem>() {
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState<P | null>(null);

  /** Resolves with whether `work` succeeded. `explain` makes the problem of its error. */
  async function run(work: () => Promise<unknown>, explain: (error: unknown) => P): Promise<boolean> {
    setBusy(true);
    setProblem(null);
    try {
      await work();
      return true;
    } catch (error) {
      setProblem(explain(error));
      return false;
    } finally {
      setBusy(false);
    }
  }

  return { busy, problem, setProblem, run };
}
