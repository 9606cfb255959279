// Waits, where one can see it, for the first real delivery to an intake, and turns when it is there.
import { useState } from 'react';
import type { Intake } from '#core/contract/index.ts';
import { useDeliveries } from '../data.ts';
import { VerdictMark } from '../verdict-mark.tsx';
import { isFromSender, useFreshDeliveries } from './use-fresh-deliveries.ts';

export function FirstDelivery({ intake }: { intake: Intake }) {
  const everyMs = useFreshDeliveries(intake.id);
  const { data } = useDeliveries(intake.id, everyMs);
  const [waited, setWaited] = useState(false);
  const first = data?.findLast(isFromSender);
  const isWaiting =
    data !== undefined && first === undefined && (intake.last_used_at === null || data.length > 0);
  if (isWaiting && !waited) setWaited(true);
  if (!waited) return null;
  return (
    <p role="status" className="flex flex-wrap items-center gap-x-2.5 gap-y-1 text-14 text-ink-2">
      {first === undefined ? (
        <>
          <span aria-hidden className="breathe size-2 rounded-full bg-accent" />
          {intake.paused ? 'Paused: resume it to take the first delivery' : 'Waiting for the first delivery'}
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
