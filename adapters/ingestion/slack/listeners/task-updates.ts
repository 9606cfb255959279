// Shows changes of a task in its confirmation in Slack, as far as Slack allows: five times within half an
// hour where only one person sees it, for the lifetime of the task where it is a direct message.
import { LRUCache } from 'lru-cache';
import { confirmation, shownTask } from '../views/blocks.ts';
import type { ListenerDeps } from './listener.ts';
import { placeKey, type Confirmation } from '../records/records.ts';
import type { TaskEvent } from '#core/ports/adapter/context.ts';

/** The returned function ends it. */
export function followTasks(deps: ListenerDeps): () => void {
  const { acting, api, clock, records, outbox } = deps;
  // Latest known versions, so that an older one is never shown last.
  const latest = new LRUCache<string, number>({ max: 10_000 });

  /** `pressed` is the place of the message that shows the change by itself. */
  async function show({ task, type }: TaskEvent, pressed: string | undefined): Promise<void> {
    const stored = await records.confirmationOf(task.id);
    if (stored === null || latest.get(task.id) !== task.version) return;
    const shown = shownTask(task, clock.now());
    const message = confirmation(type === 'task.expired' ? { ...shown, state: 'gone' } : shown);
    const { place, teamId } = stored;
    if (placeKey(place.kind === 'url' ? null : place) === pressed) return;
    if (place.kind === 'message') {
      outbox.send('an update', () => api.update(teamId, place.channelId, place.ts, message));
      return;
    }
    const used = usedOnce(stored);
    if (used === null) return;
    await records.confirm(task.id, used);
    outbox.send('an update', () => api.respond(place.url, { replace_original: true, ...message }));
  }

  return deps.watch((event) => {
    const { task, type } = event;
    if (task.source !== 'slack' || type === 'task.created') return;
    latest.set(task.id, task.version);
    const pressed = acting.get(task.id);
    outbox.follow('an update', () =>
      show(event, pressed).finally(() => {
        if (latest.get(task.id) === task.version) latest.delete(task.id);
      }),
    );
  });
}

function usedOnce({ place, teamId }: Confirmation): Confirmation | null {
  if (place.kind === 'message' || place.uses <= 0) return null;
  return { teamId, place: { ...place, uses: place.uses - 1 } };
}
