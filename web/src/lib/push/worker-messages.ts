// What the service worker asks of a page, which has the session: to show a task, to do what was pressed on a
// notification, to tell the server of a new subscription, and whether its list is seen. Loaded on demand.
import type { Task } from '#core/contract/index.ts';
import { exclusively } from '../exclusively.ts';
import { asRecord } from '../json.ts';
import { ApiError, problemOf } from '../api/api-error.ts';
import type { Operation } from '../outbox/entry.ts';
import { outbox, outboxIsRead } from '../outbox/service.ts';
import { api, live, session } from '../services.ts';
import { firstLine } from '../text.ts';
import { notify } from '../../ui/toast.tsx';
import { ACTIONS_CACHE, restorePush } from './device.ts';

const DAY_MS = 24 * 60 * 60_000;
const LONGEST_NAME = 60;
const INBOX = '/inbox';
/** What the address of the inbox may say without hiding a task. */
const UNFILTERED = ['task', 'order'];

interface Pressed {
  action: 'acknowledge' | 'pin';
  id: string;
  /** In milliseconds. */
  at: number;
}

/** Resolves with whether it was done here. `go` opens an address of the app. */
export async function onWorkerMessage(message: unknown, go: (path: string) => void): Promise<boolean> {
  const { kind, path } = asRecord(message);
  if (kind === 'open' && typeof path === 'string') go(path);
  else if (session.getState().method === 'none') return false;
  else if (kind === 'view') return isListSeen();
  else if (kind === 'actions') return doPressed();
  else if (kind === 'subscription') await restorePush();
  else return false;
  return true;
}

/** Somebody looks at a list that every new task is in, and that is live. */
function isListSeen(): boolean {
  const isWhole = [...new URLSearchParams(location.search).keys()].every((name) => UNFILTERED.includes(name));
  return location.pathname === INBOX && isWhole && document.hasFocus() && live.getState() === 'live';
}

/** Does what was pressed on notifications, once in all tabs. Resolves with whether all of it was done. */
export async function doPressed(): Promise<boolean> {
  if (!('caches' in globalThis) || !(await caches.has(ACTIONS_CACHE))) return true;
  return exclusively(ACTIONS_CACHE, doAll);
}

async function doAll(): Promise<boolean> {
  const cache = await caches.open(ACTIONS_CACHE);
  for (const request of await cache.keys()) {
    const pressed = (await (await cache.match(request))?.json()) as Pressed | undefined;
    const isYoung = pressed !== undefined && pressed.at > Date.now() - DAY_MS;
    // What cannot be read for want of a network stays for the next page.
    if (isYoung && !(await doOne(pressed))) return false;
    await cache.delete(request);
  }
  return true;
}

async function doOne({ action, id }: Pressed): Promise<boolean> {
  try {
    const { task } = await api('GET /tasks/:id', { params: { id } });
    await outboxIsRead();
    const { entry, outcome } = outbox.add(operationOf(action, task));
    await outcome;
    tell(action, task, entry.id);
  } catch (error) {
    if (error instanceof ApiError && error.temporary) return false;
    // Gone already, as wished; a pin came too late.
    if (action === 'pin') void notify({ text: problemOf(error, 'Failed to update pin status').message });
  }
  return true;
}

function operationOf(action: Pressed['action'], task: Task): Operation {
  return action === 'pin' ? { kind: 'pin', task, pinned: true } : { kind: 'acknowledge', tasks: [task] };
}

function tell(action: Pressed['action'], task: Task, entry: string): void {
  const inverse: Operation =
    action === 'pin' ? { kind: 'pin', task, pinned: false } : { kind: 'restore', tasks: [task] };
  void notify({
    text: action === 'pin' ? 'Pinned' : 'Acknowledged',
    detail: firstLine(task.content, LONGEST_NAME),
    action: { label: 'Undo', run: () => void outbox.undo(entry, inverse) },
  });
}
