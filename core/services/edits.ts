// Edits of what others may edit at the same time.
import { QinboxError } from '#core/errors.ts';

const MAX_ATTEMPTS = 10;

/**
 * Edits `what`, as "this intake". `attempt` answers null, and has changed nothing, where another edit came
 * between what it read and what it was to store: it is made again, ten times in all. A CONFLICT after that.
 */
export async function editUntilStored<T>(what: string, attempt: () => Promise<T | null>): Promise<T> {
  for (let made = 0; made < MAX_ATTEMPTS; made++) {
    const edited = await attempt();
    if (edited !== null) return edited;
  }
  throw new QinboxError('CONFLICT', `Others change ${what} at the same time. Try again.`);
}
