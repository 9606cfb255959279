// What happens to a task elsewhere shows in its confirmation in Slack, as far as Slack lets it be changed: five times within half an
// hour where only one person sees it, for as long as the task can live where it is a message of its own.
import { confirmation, shownTask } from './blocks.ts';
import type { SlackDeps } from './deps.ts';
import type { Confirmation } from './memory.ts';
import type { TaskEvent } from '#core/ports/adapter/context.ts';

/** Returns what ends it. */
export function followTasks(deps: SlackDeps): () => void {
  const { acting, api, clock, memory, outbox } = deps;
  // The latest version that was heard of, so that an older one never has the last word.
  const latest = new Map<string, number>();

  async function show({ task, type }: TaskEvent): Promise<void> {
    const kept = await memory.confirmationOf(task.id);
    if (kept === null || latest.get(task.id) !== task.version) return;
    const shown = shownTask(task, clock.now());
    const message = confirmation(type === 'task.expired' ? { ...shown, state: 'gone' } : shown);
    const { place, teamId } = kept;
    if (place.kind === 'message') {
      outbox.send('an update', () => api.update(teamId, place.channelId, place.ts, message));
      return;
    }
    const used = usedOnce(kept);
    if (used === null) return;
    await memory.confirm(task.id, used);
    outbox.send('an update', () => api.respond(place.url, { replace_original: true, ...message }));
  }

  return deps.watch((news) => {
    const { task, type } = news;
    if (task.source !== 'slack' || type === 'task.created' || acting.has(task.id)) return;
    if (latest.size > 10_000) latest.clear();
    latest.set(task.id, task.version);
    outbox.follow('an update', () =>
      show(news).finally(() => {
        if (latest.get(task.id) === task.version) latest.delete(task.id);
      }),
    );
  });
}

function usedOnce({ place, teamId }: Confirmation): Confirmation | null {
  if (place.kind === 'message' || place.uses <= 0) return null;
  return { teamId, place: { ...place, uses: place.uses - 1 } };
}
