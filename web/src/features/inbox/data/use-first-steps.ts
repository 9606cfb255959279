// The first steps of somebody new, ticked by what is really there. They are offered in a queue that was never
// used, and from then on in this browser's empty queue until they are done or dismissed.
import { useEffect, useState, useSyncExternalStore } from 'react';
import { useApiKeys } from '../../../lib/api-keys.ts';
import { useIntakeList } from '../../../lib/intake-list.ts';
import { localStore } from '../../../lib/local-store.ts';
import { useNotificationPermission } from '../../../lib/notification-permission.ts';
import { storedPushEntry, subscribeToPushEntry } from '../../../lib/push/entry.ts';
import { pushObstacle } from '../../../lib/push/support.ts';
import { useSession } from '../../../lib/session/use-session.ts';

const ENTRY = 'qinbox.first-steps';

export type StepId = 'key' | 'intake' | 'notifications';

export interface Step {
  id: StepId;
  /** Null while that is not known. */
  isDone: boolean | null;
}

/** `isNew`: the queue was never used. */
export function useStepsOffer(isNew: boolean) {
  const { method } = useSession();
  const [stored, setStored] = useState(() => localStore.get(ENTRY));
  return {
    isOffered: method !== 'none' && (stored === 'offered' || (isNew && stored === null)),
    dismiss: () => {
      localStore.set(ENTRY, 'dismissed');
      setStored('dismissed');
    },
  };
}

/** The steps while they are offered: only then it is asked what is there. */
export function useFirstSteps() {
  const notifications = useNotifications();
  const steps = useSteps(notifications);
  const isDone = steps.every((step) => step.isDone === true);
  // What is done while it is on the screen is shown as such; the next time there is nothing to show.
  const [wasOpen, setWasOpen] = useState(false);
  if (!wasOpen && steps.some((step) => step.isDone === false)) setWasOpen(true);
  useEffect(() => {
    localStore.set(ENTRY, isDone ? 'done' : 'offered');
  }, [isDone]);
  return { steps, isShown: wasOpen, notifications };
}

/** By push where the browser has it, else by open tabs. */
function useNotifications() {
  const { possible, on, refused, ask } = useNotificationPermission();
  const isPushed = useSyncExternalStore(subscribeToPushEntry, storedPushEntry) !== null;
  const [failure, setFailure] = useState<string | null>(null);
  const [isBusy, setIsBusy] = useState(false);
  const obstacle = pushObstacle();
  return {
    possible: possible || obstacle === 'install',
    /** Not while push is being turned on: somebody who leaves the page then would be without it. */
    on: (on || isPushed) && !isBusy,
    isBusy,
    refused,
    /** By push, also while no tab is open. */
    byPush: obstacle === null,
    /** Only an app on the Home Screen has them. */
    needsInstall: obstacle === 'install',
    /** Why there is no push although notifications are allowed. */
    failure,
    /** To be called from a click only. Resolves with whether they are on now. */
    ask: async () => {
      setFailure(null);
      setIsBusy(true);
      const granted = await ask();
      if (granted && obstacle === null) setFailure(await failureOf(turnOnPush));
      setIsBusy(false);
      return granted;
    },
  };
}

async function turnOnPush(): Promise<void> {
  const device = await import('../../../lib/push/device.ts');
  await device.turnOnPush();
}

async function failureOf(work: () => Promise<void>): Promise<string | null> {
  try {
    await work();
    return null;
  } catch (error) {
    return error instanceof Error ? error.message : '';
  }
}

/** Those that can be taken here: an API key makes neither keys nor intakes. */
function useSteps({ possible, on }: { possible: boolean; on: boolean }): readonly Step[] {
  const { method } = useSession();
  const { keys } = useApiKeys();
  const intakes = useIntakeList({ enabled: method === 'jwt' });
  const notified: Step[] = possible ? [{ id: 'notifications', isDone: on }] : [];
  if (method === 'api_key') return [{ id: 'key', isDone: true }, ...notified];
  return [
    { id: 'key', isDone: keys === null ? null : keys.length > 0 },
    { id: 'intake', isDone: intakes.data === undefined ? null : intakes.data.length > 0 },
    ...notified,
  ];
}
