// Pure rules over an account's entries. A store applies each in one transaction, so rules of two tabs run one
// after the other. A rule that changes nothing returns the same list.
import type { Task } from '#core/contract/index.ts';
import type { Problem } from '../api/api-error.ts';
import { retarget, tasksOf, placeholderId, type Entry } from './entry.ts';

type Entries = readonly Entry[];

/** The server stores Idempotency-Keys for 24 hours; less a margin, because clocks and networks differ. */
export const STALE_AFTER_MS = (24 * 60 - 15) * 60_000;

/** Too old to be sent unasked: whether it was done already cannot be known any more. */
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

/** Removes an answered entry. Entries that wait for its new task are from now on about that task. */
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

/** Marks it as refused, with the entries that wait for its new task. */
export function refuse(entries: Entries, id: string, refusal: Problem): Entries {
  const about = placeholderId(id);
  return entries.map((entry) => {
    if (entry.id === id) return { ...entry, refusal };
    return tasksOf(entry.operation).some((task) => task.id === about)
      ? { ...entry, refusal: { message: 'The item itself could not be added.' } }
      : entry;
  });
}

/** Removes it, with the entries that wait for its new task. */
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
