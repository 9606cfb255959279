// The last deliveries to an intake: what came when, and what became of it.
import { RotateCw } from 'lucide-react';
import { useState } from 'react';
import type { Intake } from '#core/contract/index.ts';
import { problemOf } from '../../../../lib/api/api-error.ts';
import { Banner, ProblemText } from '../../../../ui/banner.tsx';
import { Button } from '../../../../ui/button.tsx';
import { Spinner } from '../../../../ui/spinner.tsx';
import { useDeliveries } from '../../data/intakes.ts';
import { DeliveryRow } from './delivery-row.tsx';

export function DeliveriesPanel({ intake }: { intake: Intake }) {
  const { data, error, refetch, isFetching } = useDeliveries(intake.id, null);
  const [asked, setAsked] = useState(false);
  const turning = asked && isFetching;

  async function refresh() {
    setAsked(true);
    await refetch();
    setAsked(false);
  }

  return (
    <section aria-labelledby="deliveries" className="rounded-lg border border-line-1 bg-surface-1">
      <div className="flex items-center justify-between gap-4 py-3 pr-3 pl-5 sm:pl-6">
        <h2 id="deliveries" className="text-16 font-semibold">
          Deliveries
        </h2>
        <Button kind="quiet" disabled={turning} onClick={() => void refresh()}>
          <RotateCw size={15} aria-hidden className={turning ? 'turn' : ''} />
          Refresh
        </Button>
      </div>
      {error === null ? null : (
        <div className="px-5 pb-5 sm:px-6">
          <Banner tone="danger">
            <ProblemText {...problemOf(error, 'Failed to fetch the deliveries')} />
          </Banner>
        </div>
      )}
      {data === undefined ? (
        error === null ? (
          <div className="px-5 pb-5 sm:px-6">
            <Spinner label="Loading deliveries" />
          </div>
        ) : null
      ) : data.length === 0 ? (
        <p className="border-t border-line-1 px-5 py-5 text-14 text-ink-2 sm:px-6">
          {intake.last_used_at === null
            ? 'Nothing was delivered yet. Send a test to see what one looks like.'
            : 'Nothing was delivered in the last 7 days.'}
        </p>
      ) : (
        <ul aria-label="Last deliveries" className="divide-y divide-line-1 border-t border-line-1">
          {data.map((delivery) => (
            <DeliveryRow key={delivery.id} intakeId={intake.id} delivery={delivery} />
          ))}
        </ul>
      )}
    </section>
  );
}
