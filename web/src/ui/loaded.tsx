// The three states of a query: loading, failed, there.
import type { ReactNode } from 'react';
import { problemOf } from '../lib/api/api-error.ts';
import { ProblemBanner } from './banner.tsx';
import { Button } from './button.tsx';
import { Spinner } from './spinner.tsx';

interface LoadedProps<T> {
  query: { data: T | undefined; error: unknown; refetch?: () => unknown };
  /** Read out while it loads. */
  loading: string;
  size?: 'medium' | 'large';
  /** For failures without a text. */
  failure: string;
  /** Around the banner and the spinner. */
  className?: string;
  children: (data: T) => ReactNode;
}

/** With `refetch` a failure can be retried. Data that was fetched before a failure stays. */
export function Loaded<T>({
  query: { data, error, refetch },
  loading,
  size = 'medium',
  failure,
  className = '',
  children,
}: LoadedProps<T>) {
  return (
    <>
      {error === null ? null : (
        <div className={className}>
          <ProblemBanner
            problem={problemOf(error, failure)}
            action={refetch === undefined ? null : <Button onClick={() => void refetch()}>Try again</Button>}
          />
        </div>
      )}
      {data === undefined && error === null ? (
        <div className={className}>
          <Spinner size={size} label={loading} />
        </div>
      ) : null}
      {data === undefined ? null : children(data)}
    </>
  );
}
