// One delivery: a line to scan, and behind it all that is known.
import { ChevronRight } from 'lucide-react';
import { useEffect, useId, useRef, useState } from 'react';
import type { Delivery } from '#core/contract/index.ts';
import { ticker } from '../../../../lib/services.ts';
import { plural } from '../../../../lib/text.ts';
import { useTicking } from '../../../../lib/ticker.ts';
import { fullTime, relativeTime } from '../../../../lib/time.ts';
import { Code } from '../../../../ui/code.tsx';
import { VerdictMark } from '../chips.tsx';
import { DeliveryDetails } from './delivery-details.tsx';

interface DeliveryRowProps {
  intakeId: string;
  delivery: Delivery;
  /** Another screen leads to it: it is open, and has the focus. */
  wanted: boolean;
}

export function DeliveryRow({ intakeId, delivery, wanted }: DeliveryRowProps) {
  const id = useId();
  const button = useRef<HTMLButtonElement>(null);
  const [open, setOpen] = useState(wanted);
  useEffect(() => {
    if (!wanted) return;
    button.current?.scrollIntoView({ block: 'center' });
    button.current?.focus({ preventScroll: true });
  }, [wanted]);
  const { verdict, event, reason, taskIds, notes, at } = delivery;
  const when = useTicking(ticker, (now) => relativeTime(at, now));
  const origin = notes['test'] === undefined ? (notes['replayOf'] === undefined ? null : 'Replay') : 'Test';
  return (
    <li>
      <button
        ref={button}
        type="button"
        aria-expanded={open}
        aria-controls={id}
        onClick={() => setOpen(!open)}
        className="grid w-full grid-cols-[1fr_auto] items-center gap-x-4 gap-y-0.5 py-2.5 pr-5 pl-3 text-left text-14 transition-colors hover:bg-surface-2/60 focus-visible:-outline-offset-2 sm:grid-cols-[8.5rem_1fr_auto_9rem] sm:pr-6 sm:pl-3.5"
      >
        <span className="flex items-center gap-1.5 font-medium">
          <ChevronRight
            size={15}
            aria-hidden
            className={`shrink-0 text-ink-3 transition-transform ${open ? 'rotate-90' : ''}`}
          />
          <VerdictMark verdict={verdict} />
        </span>
        <span className="min-w-0 max-sm:order-last max-sm:col-span-2 max-sm:pl-5.5">
          {event === null ? null : <Code className="mr-2 text-13 wrap-anywhere text-ink-2">{event}</Code>}
          {origin === null ? null : (
            <span className="mr-2 rounded-full bg-surface-2 px-2 py-0.5 text-13 text-ink-2">{origin}</span>
          )}
          {reason === null ? null : <span className="wrap-anywhere text-ink-2">{reason}</span>}
        </span>
        <span className="nums text-13 whitespace-nowrap text-ink-3 max-sm:hidden">
          {taskIds.length === 0 ? '' : plural(taskIds.length, 'task')}
        </span>
        <span className="text-right text-13 whitespace-nowrap text-ink-3" data-hint={fullTime(at)}>
          {when}
        </span>
      </button>
      <div id={id} hidden={!open}>
        {open ? <DeliveryDetails intakeId={intakeId} delivery={delivery} /> : null}
      </div>
    </li>
  );
}
