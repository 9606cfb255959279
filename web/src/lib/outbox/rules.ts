// What happens to an account's entries, as pure functions. A store applies each in one transaction, so two tabs that do
// something at the same moment do it one after the other. A list that nothing changes in comes back as it is.
import type { Task } from '#core/contract/index.ts';
import type { Problem } from '../api/api-error.ts';
import { retarget, tasksOf, placeholderId, type Entry } from './entry.ts';

type Entries = readonly Entry[];

/** The server forgets Idempotency-Keys after 24 hours; a little earlier, because clocks and networks differ. */
export const STALE_AFTER_MS = (24 * 60 - 15) * 60_000;

/** Too old to be sent without asking: nobody could tell any more whether it had been done already. */
export function isStale(entry: Entry, now: number): boolean {
  return now - (entry.confirmedAt ?? entry.at) > STALE_AFTER_MS;
}

/** Still to be sent by itself. */
export function isWaiting(entry: Entry, now: number): boolean {
  return entry.refusal === null && !isStale(entry, now);
}

/** The first one that may go. One on a task that is not created yet goes after its creation. */
export function nextToSend(entries: Entries, now: number): Entry | undefined {
  const uncreated = new Set(
    entries.filter(({ operation }) => operation.kind === 'create').map(({ id }) => placeholderId(id)),
  );
  return entries.find(
    (entry) => isWaiting(entry, now) && !tasksOf(entry.operation).some(({ id }) => uncreated.has(id)),
  );
}

export function begin(entries: Entries, id: string): Entries {
  return change(entries, id, (entry) => ({ ...entry, attempts: entry.attempts + 1 }));
}

/** Done. What waits for a task that has been created is from now on about that task. */
export function complete(entries: Entries, id: string, created: Task | undefined): Entries {
  if (!entries.some((entry) => entry.id === id)) return entries;
  const left = entries.filter((entry) => entry.id !== id);
  if (created === undefined) return left;
  const placeholder = placeholderId(id);
  return left.map((entry) =>
    tasksOf(entry.operation).some((task) => task.id === placeholder)
      ? { ...entry, operation: retarget(entry.operation, placeholder, created) }
      : entry,
  );
}

/** Will not be sent, nor will what waited for its creation. */
export function refuse(entries: Entries, id: string, refusal: Problem): Entries {
  const about = placeholderId(id);
  return entries.map((entry) => {
    if (entry.id === id) return { ...entry, refusal };
    return tasksOf(entry.operation).some((task) => task.id === about)
      ? { ...entry, refusal: { message: 'The item itself could not be added.' } }
      : entry;
  });
}

/** Given up by the person, with what waited for its creation. */
export function discard(entries: Entries, id: string): Entries {
  const about = placeholderId(id);
  const left = entries.filter(
    (entry) => entry.id !== id && !tasksOf(entry.operation).some((task) => task.id === about),
  );
  return left.length === entries.length ? entries : left;
}

/** Taken back: as if it had never been, unless the server may know of it. Then `inverse` follows it. */
export function withdraw(entries: Entries, id: string, inverse: Entry): Entries {
  const entry = entries.find((each) => each.id === id);
  if (entry !== undefined && (entry.attempts === 0 || entry.refusal !== null)) return discard(entries, id);
  return [...entries, inverse];
}

/** To be sent although it is old. */
export function confirm(entries: Entries, id: string, now: number): Entries {
  return change(entries, id, (entry) => ({ ...entry, confirmedAt: now }));
}

function change(entries: Entries, id: string, rule: (entry: Entry) => Entry): Entries {
  return entries.some((entry) => entry.id === id)
    ? entries.map((entry) => (entry.id === id ? rule(entry) : entry))
    : entries;
}
