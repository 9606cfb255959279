// Watches what a sharded MongoDB would have to ask of all shards: commands whose filter has no value of the
// shard key, as docs/operations.md names it.
import type { CommandStartedEvent, Document } from 'mongodb';

/** The field of the shard key that each filter needs. */
const SHARD_KEYS: Record<string, string> = {
  tasks: 'owner',
  dedupe_keys: '_id',
  claims: '_id',
  applied_orders: '_id',
};

export interface ScatterWatch {
  note(event: Pick<CommandStartedEvent, 'commandName' | 'command'>): void;
  /** How many filters it saw. */
  noted(): number;
  /** Each kind that had none: collection, command, fields of the filter. */
  found(): string[];
}

export function createScatterWatch(): ScatterWatch {
  const found = new Set<string>();
  let noted = 0;
  return {
    note({ commandName, command }) {
      const collection = String(command[commandName]);
      const key = SHARD_KEYS[collection];
      if (key === undefined) return;
      for (const filter of filtersOf(commandName, command)) {
        noted++;
        if (!isGiven(filter[key]))
          found.add([collection, commandName, ...Object.keys(filter).toSorted()].join(' '));
      }
    },
    noted: () => noted,
    found: () => [...found],
  };
}

function filtersOf(name: string, command: Document): Document[] {
  switch (name) {
    case 'find':
      return [command['filter'] as Document];
    case 'aggregate':
      return [(command['pipeline'] as Document[])[0]?.['$match'] as Document];
    case 'update':
      return (command['updates'] as Document[]).map(({ q }) => q as Document);
    case 'delete':
      return (command['deletes'] as Document[]).map(({ q }) => q as Document);
    case 'findAndModify':
      return [command['query'] as Document];
    default:
      // Each document of an insert has its own shard key; what asks for no documents needs none.
      return [];
  }
}

/** One value, or several. */
function isGiven(value: unknown): boolean {
  return typeof value === 'string' || (typeof value === 'object' && value !== null && '$in' in value);
}
