// Last uses of keys and intakes, in one write for all that came within a second.
import type { DatabaseSync } from 'node:sqlite';
import { createLastUses, type LastUses } from '#core/last-uses.ts';
import type { GroupCommit } from './group-commit.ts';

export function createSqliteLastUses(
  db: DatabaseSync,
  group: GroupCommit,
  table: 'api_keys' | 'intakes',
): LastUses {
  const store = db.prepare(`UPDATE ${table} SET last_used_at = max(ifnull(last_used_at, 0), ?) WHERE id = ?`);
  return createLastUses((uses) => group.write(() => uses.forEach(([id, at]) => store.run(at, id))));
}
