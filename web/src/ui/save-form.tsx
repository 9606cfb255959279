// The form of a dialog that saves one thing. What is wrong is said at its field, the first of which gets the
// focus; all else is said above the buttons.
import { useState, type ReactNode } from 'react';
import type { ErrorDetail } from '#core/contract/index.ts';
import { ApiError, problemOf, type Problem } from '../lib/api/api-error.ts';
import { useAction } from '../lib/use-action.ts';
import { ProblemBanner } from './banner.tsx';
import { Button } from './button.tsx';
import { Form } from './form.tsx';

/** Why it was not saved. */
interface Failure<F> {
  problem: Problem | null;
  /** By field. */
  faults: F | null;
}

interface SaveOptions<F> {
  /** What is said where the server gives no reason. */
  failed: string;
  /** The server's objections at their fields; null when one of them belongs to none. */
  faultsOf: (details: readonly ErrorDetail[]) => F | null;
}

export type Save<F> = ReturnType<typeof useSave<F>>;

/** Saves what a form has, unless something is missing in it. */
export function useSave<F>({ failed, faultsOf }: SaveOptions<F>) {
  const { busy, problem: failure, setProblem: setFailure, run } = useAction<Failure<F>>();

  function explain(error: unknown): Failure<F> {
    const faults = faultsOf(error instanceof ApiError ? error.details : []);
    return { faults, problem: faults === null ? problemOf(error, failed) : null };
  }

  return {
    busy,
    failure,
    forget: () => setFailure(null),
    /** `missing` says by field what is missing. */
    async save(missing: F & object, work: () => Promise<unknown>): Promise<void> {
      if (Object.keys(missing).length > 0) setFailure({ problem: null, faults: missing });
      else await run(work, explain);
    },
  };
}

/** For the dialog around a form: whether what was submitted is under way. */
export function useUnderWay<T>(submit: (input: T) => Promise<void>): [boolean, (input: T) => Promise<void>] {
  const [busy, setBusy] = useState(false);
  return [
    busy,
    async (input) => {
      setBusy(true);
      try {
        await submit(input);
      } finally {
        setBusy(false);
      }
    },
  ];
}

interface SaveFormProps<F> {
  saving: Save<F>;
  /** It makes something new. */
  isNew: boolean;
  onSubmit: () => void;
  onCancel: () => void;
  children: ReactNode;
}

export function SaveForm<F>({ saving, isNew, onSubmit, onCancel, children }: SaveFormProps<F>) {
  const { busy, failure, forget } = saving;
  return (
    <Form noValidate failure={failure} className="flex flex-col gap-5" onSubmit={onSubmit}>
      {children}
      <ProblemBanner problem={failure?.problem ?? null} onDismiss={forget} />
      <div className="flex justify-end gap-2">
        <Button kind="quiet" onClick={onCancel} disabled={busy}>
          Cancel
        </Button>
        <Button kind="primary" type="submit" disabled={busy}>
          {isNew ? 'Add' : 'Save'}
        </Button>
      </div>
    </Form>
  );
}
