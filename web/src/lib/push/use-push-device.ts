// Push on this device, for components: its state, and turning it on and off.
import { useSyncExternalStore } from 'react';
import { listen } from '../listen.ts';
import { session } from '../services.ts';
import { accountOf } from '../session/account.ts';
import { problemOf, type Problem } from '../api/api-error.ts';
import { useAction } from '../use-action.ts';
import { PushError, turnOffPush, turnOnPush } from './device.ts';
import { readPushEntry, storedPushEntry, subscribeToPushEntry } from './entry.ts';
import { pushObstacle } from './support.ts';

export function usePushDevice() {
  useSyncExternalStore(subscribe, storedPushEntry);
  const { busy, problem, setProblem, run } = useAction();
  const obstacle = pushObstacle();
  const entry = readPushEntry();
  const isOn = obstacle === null && entry !== null && entry.account === accountOf(session);

  return {
    /** Why it cannot be turned on; null where it can. */
    obstacle,
    isOn,
    /** The id at the server; null where push is off. */
    device: isOn ? entry.device : null,
    busy,
    problem,
    dismiss: () => setProblem(null),
    /** To be called from a click. Resolves with whether it is on. */
    turnOn: () =>
      run(turnOnPush, explain('Push is not on: the server did not answer. Check the network and try again.')),
    turnOff: () =>
      run(
        turnOffPush,
        explain('Push is off on this device, but the server could not be told. It finds out by itself.'),
      ),
  };
}

/** Other tabs turn it on and off, too. */
function subscribe(listener: () => void): () => void {
  const stops = [subscribeToPushEntry(listener), listen(window, { storage: listener })];
  return () => stops.forEach((stop) => stop());
}

function explain(fallback: string): (error: unknown) => Problem {
  return (error) => (error instanceof PushError ? { message: error.message } : problemOf(error, fallback));
}
