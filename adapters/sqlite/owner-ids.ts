// Short numbers that stand for the owners' ids in the indexes.
import type { DatabaseSync } from 'node:sqlite';
import { prepareRows } from './tables.ts';

export interface OwnerIds {
  /** The owner's number; null when nothing was ever stored for it. */
  find(ownerId: string): number | null;
  /** The owner's number, given now if it has none. Only inside a transaction. */
  ensure(ownerId: string): number;
  /** The owner's id. */
  idOf(owner: number): string;
}

export function createOwnerIds(db: DatabaseSync) {
  const findRow = prepareRows<{ seq: number }>(db, 'SELECT seq FROM owners WHERE id = ?');
  const findId = prepareRows<{ id: string }>(db, 'SELECT id FROM owners WHERE seq = ?');
  const insert = db.prepare('INSERT INTO owners (id) VALUES (?)');
  const numbers = new Map<string, number>();
  const ids = new Map<number, string>();
  /** Owners that were inserted in this transaction. */
  let inserted: string[] = [];

  function cache(ownerId: string, owner: number): number {
    numbers.set(ownerId, owner);
    ids.set(owner, ownerId);
    return owner;
  }

  function find(ownerId: string): number | null {
    const cached = numbers.get(ownerId);
    if (cached !== undefined) return cached;
    const row = findRow.get(ownerId);
    return row === undefined ? null : cache(ownerId, row.seq);
  }

  return {
    find,
    ensure(ownerId: string): number {
      const known = find(ownerId);
      if (known !== null) return known;
      inserted.push(ownerId);
      return cache(ownerId, Number(insert.run(ownerId).lastInsertRowid));
    },
    idOf: (owner: number): string => ids.get(owner) ?? findId.get(owner)?.id ?? '',
    committed(): void {
      if (inserted.length > 0) inserted = [];
    },
    rolledBack(): void {
      // Another owner may be given the number next.
      for (const ownerId of inserted) {
        ids.delete(numbers.get(ownerId) ?? 0);
        numbers.delete(ownerId);
      }
      inserted = [];
    },
  };
}
