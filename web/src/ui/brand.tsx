// The mark: a day's dial that is also a Q. The hand points at now; the tail is where the queue runs out.

interface BrandMarkProps {
  size?: number;
}

export function BrandMark({ size = 28 }: BrandMarkProps) {
  return (
    <svg viewBox="0 0 32 32" width={size} height={size} fill="none" aria-hidden className="shrink-0">
      <rect width="32" height="32" rx="8" className="fill-accent" />
      <g className="stroke-on-accent" strokeWidth="3" strokeLinecap="round" strokeLinejoin="round">
        <path d="M21.9 21.9A8.5 8.5 0 1 1 24.5 16" />
        <path d="M16 11v5l7.6 7.6" />
      </g>
    </svg>
  );
}
