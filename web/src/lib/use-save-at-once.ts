// Settings that are shown as changed at once, saved one after the other, and shown as before when that fails.
import { useRef, useState } from 'react';
import { problemOf, type Problem } from './api/api-error.ts';

interface Saving<T> {
  /** What is shown; undefined while nothing has been fetched. */
  read: () => T | undefined;
  show: (value: T) => void;
  /** Resolves with what is stored. */
  send: (value: T) => Promise<T>;
}

export function useSaveAtOnce<T>({ read, show, send }: Saving<T>) {
  const [state, setState] = useState<'idle' | 'saving' | 'saved'>('idle');
  const [problem, setProblem] = useState<Problem | null>(null);
  const next = useRef<{ value: T } | null>(null);
  const isRunning = useRef(false);

  async function run(stored: T) {
    isRunning.current = true;
    let confirmed = stored;
    let failure: Problem | null = null;
    while (next.current !== null) {
      const { value } = next.current;
      next.current = null;
      try {
        confirmed = await send(value);
        failure = null;
      } catch (error) {
        failure = problemOf(error, 'Failed to save. Check the network and try again.');
      }
    }
    isRunning.current = false;
    show(confirmed);
    setState(failure === null ? 'saved' : 'idle');
    setProblem(failure);
  }

  return {
    save: (change: (before: T) => T) => {
      const before = read();
      if (before === undefined) return;
      next.current = { value: change(before) };
      show(next.current.value);
      setProblem(null);
      setState('saving');
      if (!isRunning.current) void run(before);
    },
    problem,
    dismiss: () => setProblem(null),
    /** '' while nothing was changed. */
    status: state === 'idle' ? '' : state === 'saving' ? 'Saving…' : 'Saved',
  };
}
