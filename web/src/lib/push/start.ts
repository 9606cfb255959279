// What a page does for push once it has started, and when somebody comes back to it. Loaded only in a browser
// that gets pushes.
import { ApiError } from '../api/api-error.ts';
import { asRecord } from '../json.ts';
import { logFailure } from '../log.ts';
import { api, serverClock, session } from '../services.ts';
import { isAsleep } from '../time.ts';
import { restorePush, setBadge } from './device.ts';
import { storedPushEntry } from './entry.ts';
import { doPressed } from './worker-messages.ts';

/** What a summary tells of is in its list. */
const INBOX = '/inbox';
/** The rest is looked at the next time. */
const MOST_NOTIFICATIONS = 20;

export async function startPush(): Promise<void> {
  document.addEventListener('visibilitychange', onVisible);
  try {
    await doPressed();
    await restorePush();
    await showWhatIsLeft();
  } catch (error) {
    // The settings say what is wrong; the next page tries again.
    logFailure('renewing push', error);
  }
}

function onVisible(): void {
  if (document.hidden || session.getState().method === 'none') return;
  showWhatIsLeft().catch((error: unknown) => logFailure('closing notifications', error));
}

/** Not every push service can be told to close what is over: else the next look at a page does. */
async function showWhatIsLeft(): Promise<void> {
  if (storedPushEntry() === null) return;
  const registration = await navigator.serviceWorker.getRegistration();
  for (const notification of (await registration?.getNotifications())?.slice(0, MOST_NOTIFICATIONS) ?? []) {
    const { kind, id } = asRecord(notification.data);
    const isSeen = kind === 'summary' && location.pathname === INBOX;
    if (isSeen || (kind === 'task' && typeof id === 'string' && (await isOver(id)))) notification.close();
  }
  if ('setAppBadge' in navigator) await setBadge(await countPushed());
}

async function isOver(id: string): Promise<boolean> {
  try {
    const { task } = await api('GET /tasks/:id', { params: { id } });
    return isAsleep(task, serverClock.now());
  } catch (error) {
    if (error instanceof ApiError && error.code === 'NOT_FOUND') return true;
    throw error;
  }
}

/** As the server counts for a push: the tasks of the queue that have one of the chosen priorities. */
async function countPushed(): Promise<number> {
  const { push } = await api('GET /push');
  const { statistics } = await api('GET /tasks', { query: { limit: 1 } });
  return push.rules.priorities.reduce((sum, priority) => sum + statistics[priority], 0);
}
