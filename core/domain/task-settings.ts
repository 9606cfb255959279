// Checks a change of many tasks as a whole: what each of them is to be, or every field at fault.
import { MAX_EXPIRY_MINUTES, type ChangeTask, type ErrorDetail } from '../contract/index.ts';
import { NO_TIME, readTime } from './read-time.ts';
import { checkChanges, type Checked } from './task-input.ts';
import type { TaskSettings } from './task.ts';

const MAX_EXPIRY_MS = MAX_EXPIRY_MINUTES * 60_000;
/** Faults that are named at once. */
const MAX_DETAILS = 50;

/** What each task is to be, by its id, in the order of the list. Fields are named `tasks/3/tags`. */
export function toSettings(
  items: readonly ChangeTask[],
  now: number,
): Checked<ReadonlyMap<string, TaskSettings>> {
  const details: ErrorDetail[] = [];
  const value = new Map<string, TaskSettings>();
  items.forEach((item, index) => {
    const path = `tasks/${index}/`;
    if (value.has(item.id)) details.push({ field: `${path}id`, message: 'must not be given twice' });
    const settings = toOneSettings(item, path, now, details);
    if (Object.keys(settings).length === 0)
      details.push({ field: `tasks/${index}`, message: 'give at least one field to change' });
    value.set(item.id, settings);
  });
  return details.length > 0 ? { ok: false, details: details.slice(0, MAX_DETAILS) } : { ok: true, value };
}

function toOneSettings(item: ChangeTask, path: string, now: number, details: ErrorDetail[]): TaskSettings {
  const settings: TaskSettings = checkChanges(item, path, details);
  if (item.pinned !== undefined) settings.pinned = item.pinned;
  if (item.expiresAt !== undefined) {
    const time = readTime(item.expiresAt);
    const fault = time === null ? NO_TIME : faultOfExpiry(time, now);
    if (fault !== null) details.push({ field: `${path}expiresAt`, message: fault });
    settings.expiresAt = time ?? now;
  }
  return settings;
}

function faultOfExpiry(time: number, now: number): string | null {
  if (time <= now) return 'must be in the future';
  return time > now + MAX_EXPIRY_MS ? 'must be at most 7 days from now' : null;
}
