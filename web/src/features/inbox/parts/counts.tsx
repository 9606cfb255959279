// The counts of the queue, which filter by priority.
import { AlarmClock } from 'lucide-react';
import type { Ref } from 'react';
import type { Priority, Statistics } from '#core/contract/index.ts';
import { PRIORITIES, PRIORITY_LABEL } from '../../../lib/labels.ts';
import { plural } from '../../../lib/text.ts';
import { PriorityMark } from '../../../ui/priority-mark.tsx';

const NONE: Statistics = { total: 0, high: 0, normal: 0, low: 0, pinned: 0, snoozed: 0 };

interface CountsProps {
  /** Null while they are not known: then their place is reserved. */
  statistics: Statistics | null;
  isDemo?: boolean;
  /** The priority that the list is filtered by. */
  chosen?: Priority | null;
  onChoose: (priority: Priority | null) => void;
  /** The snoozed tasks are listed. */
  isSnoozed?: boolean;
  onSnoozed: (listed: boolean) => void;
  /** The actions of a selection need the room. */
  isSelecting?: boolean;
  heading?: Ref<HTMLHeadingElement>;
}

export function Counts(props: CountsProps) {
  const { isDemo = false, chosen = null, onChoose, heading = null } = props;
  const { isSnoozed = false, onSnoozed, isSelecting = false } = props;
  const statistics = props.statistics ?? NONE;
  const shown = props.statistics === null ? 'invisible' : '';
  return (
    <div className="flex min-w-0 flex-wrap items-center gap-x-3 gap-y-1 sm:@max-[36rem]:gap-x-2">
      <h1
        ref={heading}
        tabIndex={-1}
        className="flex items-baseline gap-2.5 text-20 font-semibold outline-none"
      >
        Today
        <span className={`nums font-normal text-ink-3 ${shown}`}>
          {statistics.total}
          <span className="sr-only"> items</span>
        </span>
      </h1>
      <ul
        aria-label="By priority"
        className={`nums flex text-14 text-ink-2 ${shown} ${roomFor(isSelecting, isDemo)}`}
      >
        {PRIORITIES.map((priority) => (
          <li key={priority}>
            <button
              type="button"
              aria-pressed={chosen === priority}
              aria-label={`${PRIORITY_LABEL[priority]} priority: ${plural(statistics[priority], 'item')}`}
              data-hint={`${PRIORITY_LABEL[priority]} priority only`}
              data-keys={String(PRIORITIES.indexOf(priority) + 1)}
              onClick={() => onChoose(chosen === priority ? null : priority)}
              className="flex h-8 items-center gap-1.5 rounded-sm px-2 transition-colors hover:bg-surface-3 hover:text-ink-1 aria-pressed:bg-accent-soft aria-pressed:font-medium aria-pressed:text-ink-1 touch:h-11"
            >
              <PriorityMark priority={priority} />
              {statistics[priority]}
            </button>
          </li>
        ))}
      </ul>
      {statistics.snoozed > 0 || isSnoozed ? (
        <button
          type="button"
          aria-pressed={isSnoozed}
          data-hint="Snoozed"
          onClick={() => onSnoozed(!isSnoozed)}
          className={`nums flex h-8 items-center gap-1.5 rounded-sm px-2 text-14 text-ink-2 transition-colors hover:bg-surface-3 hover:text-ink-1 aria-pressed:bg-accent-soft aria-pressed:font-medium aria-pressed:text-ink-1 touch:h-11 ${shown} ${isSelecting ? 'sm:hidden' : ''}`}
        >
          <AlarmClock size={15} aria-hidden />
          <span className="sr-only">Snoozed</span> {statistics.snoozed}
        </button>
      ) : null}
      {isDemo ? (
        <span className="rounded-full bg-warn-soft px-2.5 py-0.5 text-13 font-medium whitespace-nowrap text-warn">
          Demo Mode
        </span>
      ) : null}
    </div>
  );
}

/** Hides them where the selection, the badge of the demo or the search would have no room beside them. */
function roomFor(isSelecting: boolean, isDemo: boolean): string {
  if (isSelecting) return 'sm:@max-[57rem]:hidden';
  return isDemo ? 'sm:@max-[50rem]:hidden' : 'sm:@max-[44rem]:hidden';
}
