// Keeps the deliveries fresh: fetched shortly after a live message about a task of an intake, and every few
// seconds, which also finds deliveries without a task.
import { useEffect } from 'react';
import type { Delivery } from '#core/contract/index.ts';
import { subscribeLive } from '../../../lib/services.ts';
import { useIntakeCalls } from './intakes.ts';

const WAITING_MS = 4000;
const USED_MS = 15_000;
/** After so many fetches it polls less often. */
const MOST_WAITING = 100;
/** A delivery is written down a moment after its task; in a flood this is how often is asked. */
const AFTER_TASK_MS = 800;

function everyMs(deliveries: readonly Delivery[], times: number): number {
  return deliveries.some(isThrough) || times > MOST_WAITING ? USED_MS : WAITING_MS;
}

/** A test and a replay come from here, not from the sender. */
export function isFromSender({ notes }: Delivery): boolean {
  return notes['test'] === undefined && notes['replayOf'] === undefined;
}

/** Whether the sender got through. */
export function isThrough(delivery: Delivery): boolean {
  return isFromSender(delivery) && delivery.verdict !== 'refused';
}

export function useFreshDeliveries(intakeId: string): typeof everyMs {
  const { seeDeliveries } = useIntakeCalls();
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const stop = subscribeLive((event) => {
      if (!('task' in event) || event.task.intake?.id !== intakeId || timer !== undefined) return;
      timer = setTimeout(() => {
        timer = undefined;
        void seeDeliveries(intakeId);
      }, AFTER_TASK_MS);
    });
    return () => {
      stop();
      clearTimeout(timer);
    };
    // oxlint-disable-next-line react/exhaustive-deps
  }, [intakeId]);
  return everyMs;
}
