// The mark: a clock that is also a Q. favicon.svg is the same drawing for browsers; `node scripts/icons.mjs`
// makes all other icons from it.

export function BrandMark({ size = 28 }: { size?: number }) {
  return (
    <svg viewBox="0 0 32 32" width={size} height={size} fill="none" aria-hidden className="shrink-0">
      <rect width="32" height="32" rx="8" className="fill-accent" />
      <g className="stroke-on-accent" strokeWidth="3" strokeLinecap="round" strokeLinejoin="round">
        <circle cx="15.5" cy="15.5" r="8.5" />
        <path d="M15.5 11v4.5L25 25" />
      </g>
    </svg>
  );
}
