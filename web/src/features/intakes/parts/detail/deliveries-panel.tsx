// The last deliveries to an intake, with the outcome of each.
import { RotateCw } from 'lucide-react';
import { useState } from 'react';
import { useSearchParams } from 'wouter';
import type { Intake } from '#core/contract/index.ts';
import { Button } from '../../../../ui/button.tsx';
import { Loaded } from '../../../../ui/loaded.tsx';
import { useDeliveries } from '../../data/intakes.ts';
import { DeliveryRow } from './delivery-row.tsx';

export function DeliveriesPanel({ intake }: { intake: Intake }) {
  const { data, error, refetch, isFetching } = useDeliveries(intake.id);
  const [asked, setAsked] = useState(false);
  const [params] = useSearchParams();
  /** One that another screen leads to. */
  const wanted = params.get('delivery');
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
      <Loaded
        query={{ data, error }}
        loading="Loading deliveries"
        failure="Failed to fetch the deliveries"
        className="px-5 pb-5 sm:px-6"
      >
        {(deliveries) =>
          deliveries.length === 0 ? (
            <p className="border-t border-line-1 px-5 py-5 text-14 text-ink-2 sm:px-6">
              {intake.last_used_at === null
                ? 'Nothing was delivered yet. Send a test to see what one looks like.'
                : 'Nothing was delivered in the last 7 days.'}
            </p>
          ) : (
            <>
              {wanted === null || deliveries.some(({ id }) => id === wanted) ? null : (
                <p role="status" className="border-t border-line-1 px-5 py-3 text-14 text-ink-2 sm:px-6">
                  The delivery that you came for is not among the last ones any more.
                </p>
              )}
              <ul aria-label="Last deliveries" className="divide-y divide-line-1 border-t border-line-1">
                {deliveries.map((delivery) => (
                  <DeliveryRow
                    key={delivery.id}
                    intakeId={intake.id}
                    delivery={delivery}
                    wanted={delivery.id === wanted}
                  />
                ))}
              </ul>
            </>
          )
        }
      </Loaded>
    </section>
  );
}
