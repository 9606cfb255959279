// The frame of the pages of intakes: the way back (from all but the list), the title, the actions.
import { ChevronLeft } from 'lucide-react';
import type { ReactNode, RefObject } from 'react';
import { Link } from 'wouter';

interface PageFrameProps {
  title: ReactNode;
  back?: { href: string; label: string };
  /** Below the title. */
  subtitle?: ReactNode;
  actions?: ReactNode;
  wide?: boolean;
  heading?: RefObject<HTMLHeadingElement | null>;
  children: ReactNode;
}

export function PageFrame({
  title,
  back,
  subtitle,
  actions,
  wide = false,
  heading,
  children,
}: PageFrameProps) {
  return (
    <main
      className={`mx-auto w-full flex-1 px-4 py-6 sm:px-6 sm:py-8 ${wide ? 'max-w-[60rem]' : 'max-w-[44rem]'}`}
    >
      {back === undefined ? null : (
        <Link
          href={back.href}
          className="mb-1 -ml-1.5 inline-flex h-9 items-center gap-0.5 rounded-sm pr-2 text-14 text-ink-2 hover:text-ink-1 touch:h-11"
        >
          <ChevronLeft size={18} aria-hidden />
          {back.label}
        </Link>
      )}
      <div className="mb-6">
        <div className="flex flex-wrap items-start justify-between gap-x-6 gap-y-2">
          <h1
            ref={heading}
            tabIndex={-1}
            className={`min-w-[min(4.5em,100%)] flex-1 font-semibold tracking-[-0.015em] wrap-anywhere outline-none ${actions === undefined || back === undefined ? 'text-28' : 'text-20 sm:text-28'}`}
          >
            {title}
          </h1>
          {actions}
        </div>
        {subtitle === undefined ? null : <div className="mt-1 text-14 text-ink-2">{subtitle}</div>}
      </div>
      {children}
    </main>
  );
}
