// Waits, where one can see it, for the first real delivery to an intake, and turns when it is there.
import { useState } from 'react';
import type { Intake } from '#core/contract/index.ts';
import { useDeliveries } from '../../data/intakes.ts';
import { VerdictMark } from '../chips.tsx';
import { isFromSender, isThrough, useFreshDeliveries } from '../../data/use-fresh-deliveries.ts';

export function FirstDelivery({ intake }: { intake: Intake }) {
  const everyMs = useFreshDeliveries(intake.id);
  const { data } = useDeliveries(intake.id, everyMs);
  const [waited, setWaited] = useState(false);
  const first = data?.findLast(isThrough);
  const refused = data?.find((delivery) => isFromSender(delivery) && delivery.verdict === 'refused');
  // Used, and by nothing but tests: that is as good as never.
  const isUnused =
    intake.last_used_at === null || data?.some(({ notes }) => notes['test'] !== undefined) === true;
  const isWaiting = data !== undefined && first === undefined && isUnused;
  if (isWaiting && !waited) setWaited(true);
  if (!waited) return null;
  return (
    <p role="status" className="flex flex-wrap items-center gap-x-2.5 gap-y-1 text-14 text-ink-2">
      {first === undefined ? (
        <>
          <span aria-hidden className="breathe size-2 rounded-full bg-accent" />
          {intake.paused ? 'Paused: resume it to take the first delivery' : 'Waiting for the first delivery'}
          {refused === undefined ? null : (
            <span className="flex min-w-0 basis-full flex-wrap items-center gap-x-2.5 text-ink-1">
              <VerdictMark verdict="refused" />
              <span className="min-w-0 wrap-anywhere">{refused.reason}</span>
            </span>
          )}
        </>
      ) : (
        <>
          <span className="font-medium text-ink-1">The first delivery is here.</span>
          <VerdictMark verdict={first.verdict} />
          {first.reason === null ? null : <span className="min-w-0 wrap-anywhere">{first.reason}</span>}
        </>
      )}
    </p>
  );
}
