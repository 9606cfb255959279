// Entries in words, for the screens.
import { firstLine, plural } from '../text.ts';
import { isStale, isWaiting } from './rules.ts';
import type { Entry, Operation } from './entry.ts';

const NAME_CHARACTERS = 60;

/** For example: Acknowledge “Pump failed”. */
export function describe(operation: Operation): string {
  switch (operation.kind) {
    case 'acknowledge':
      return `Acknowledge ${nameAll(operation.tasks)}`;
    case 'restore':
      return `Bring back ${nameAll(operation.tasks)}`;
    case 'pin':
      return `${operation.pinned ? 'Pin' : 'Unpin'} ${name(operation.task)}`;
    case 'extend':
      return `Keep ${name(operation.task)} longer`;
    case 'edit':
      return `Edit ${name(operation.task)}`;
    case 'change':
      return `Change ${nameAll(operation.changes.map(({ task }) => task))}`;
    case 'create':
      return `Add ${name(operation.input)}`;
  }
}

/** The entries by state. */
export function sortOut(entries: readonly Entry[], now: number) {
  return {
    waiting: entries.filter((entry) => isWaiting(entry, now)),
    stale: entries.filter((entry) => entry.refusal === null && isStale(entry, now)),
    refused: entries.filter((entry) => entry.refusal !== null),
  };
}

function nameAll(tasks: readonly { content: string }[]): string {
  const [only] = tasks;
  return tasks.length === 1 && only !== undefined ? name(only) : plural(tasks.length, 'item');
}

function name({ content }: { content: string }): string {
  return `“${firstLine(content.trim(), NAME_CHARACTERS)}”`;
}
