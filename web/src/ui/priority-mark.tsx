// A priority as a shape and a colour: ▲ high, ● normal, ▽ low. Never colour alone.
import type { Priority } from '#core/contract/index.ts';
import { PRIORITY_LABEL } from '../lib/labels.ts';

const COLOUR: Record<Priority, string> = { high: 'text-danger', normal: 'text-info', low: 'text-muted' };

interface PriorityMarkProps {
  priority: Priority;
  /** Read out as "High priority"; leave it out next to the word. */
  named?: boolean;
}

export function PriorityMark({ priority, named = false }: PriorityMarkProps) {
  const name = named
    ? { role: 'img', 'aria-label': `${PRIORITY_LABEL[priority]} priority` }
    : { 'aria-hidden': true };
  return (
    <svg viewBox="0 0 14 14" width="14" height="14" className={`shrink-0 ${COLOUR[priority]}`} {...name}>
      {priority === 'high' ? <path d="M7 1.6 13 12H1z" fill="currentColor" strokeLinejoin="round" /> : null}
      {priority === 'normal' ? <circle cx="7" cy="7" r="4.5" fill="currentColor" /> : null}
      {priority === 'low' ? (
        <path
          d="M2.2 3.2h9.6L7 11.4z"
          fill="none"
          stroke="currentColor"
          strokeWidth="1.6"
          strokeLinejoin="round"
        />
      ) : null}
    </svg>
  );
}
