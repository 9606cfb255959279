// A notice across the page's width: an error, or something to know before going on.
import { Info, TriangleAlert, X } from 'lucide-react';
import type { ReactNode } from 'react';
import type { Problem } from '../lib/api/api-error.ts';

interface BannerProps {
  tone: 'danger' | 'info';
  title?: string;
  children: ReactNode;
  action?: ReactNode;
  className?: string;
  onDismiss?: (() => void) | undefined;
}

export function Banner({ tone, title, children, action, className = '', onDismiss }: BannerProps) {
  const Icon = tone === 'danger' ? TriangleAlert : Info;
  return (
    <div
      role={tone === 'danger' ? 'alert' : 'status'}
      className={`flex items-start gap-3 rounded-md py-2.5 pr-2 pl-3.5 text-14 ${className} ${tone === 'danger' ? 'bg-danger-soft' : 'bg-accent-soft'}`}
    >
      <Icon
        size={18}
        aria-hidden
        className={`mt-px shrink-0 ${tone === 'danger' ? 'text-danger' : 'text-accent'}`}
      />
      <div className="min-w-0 flex-1 wrap-anywhere">
        {title === undefined ? null : <p className="font-semibold">{title}</p>}
        <div className="text-ink-1">{children}</div>
      </div>
      {action}
      {onDismiss === undefined ? null : (
        <button
          type="button"
          aria-label="Dismiss"
          onClick={onDismiss}
          className="-my-1 inline-flex size-8 touch:-my-2.5 touch:size-11 shrink-0 items-center justify-center rounded-sm text-ink-2 hover:bg-surface-1/60 hover:text-ink-1"
        >
          <X size={16} aria-hidden />
        </button>
      )}
    </div>
  );
}

interface ProblemBannerProps extends Omit<BannerProps, 'tone' | 'children'> {
  problem: Problem | null;
}

/** An error's message, and its code where there is one; nothing while there is no error. */
export function ProblemBanner({ problem, ...rest }: ProblemBannerProps) {
  if (problem === null) return null;
  return (
    <Banner tone="danger" {...rest}>
      <p>{problem.message || 'An unexpected error occurred'}</p>
      {problem.code === undefined ? null : <p className="text-13 text-ink-2">Error Code: {problem.code}</p>}
    </Banner>
  );
}
