// Checks a change of many tasks as a whole: what each of them is to be, or every field at fault.
import { MAX_EXPIRY_MINUTES, type ChangeTask, type ErrorDetail, type SnoozeTask } from '../contract/index.ts';
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
    const fault = time === null ? NO_TIME : faultOfEnd(time, now);
    if (fault !== null) details.push({ field: `${path}expiresAt`, message: fault });
    settings.expiresAt = time ?? now;
  }
  if (item.snoozedUntil !== undefined)
    settings.snoozedUntil = readWakeTime(item.snoozedUntil, `${path}snoozedUntil`, now, details);
  return settings;
}

/** Until when a task is to be snoozed, in milliseconds; null wakes it. */
export function toWakeTime({ until, minutes }: SnoozeTask, now: number): Checked<number | null> {
  const details: ErrorDetail[] = [];
  if ((until === undefined) === (minutes === undefined))
    details.push({ field: 'until', message: 'give either until (a time, or null) or minutes' });
  const value =
    minutes === undefined ? readWakeTime(until ?? null, 'until', now, details) : now + minutes * 60_000;
  return details.length > 0 ? { ok: false, details } : { ok: true, value };
}

function readWakeTime(
  until: string | null,
  field: string,
  now: number,
  details: ErrorDetail[],
): number | null {
  if (until === null) return null;
  const time = readTime(until);
  const fault = time === null ? `${NO_TIME}, or null` : faultOfEnd(time, now);
  if (fault !== null) details.push({ field, message: fault });
  return time;
}

function faultOfEnd(time: number, now: number): string | null {
  if (time <= now) return 'must be in the future';
  return time > now + MAX_EXPIRY_MS ? 'must be at most 7 days from now' : null;
}
