// Notes when things were last used (keys, intakes) in memory, and stores that a second later in one write, so that a use costs
// no commit of its own. What was not stored yet is lost in a crash, which is allowed.
import type { DatabaseSync } from 'node:sqlite';
import type { GroupCommit } from './group-commit.ts';

const DELAY_MS = 1000;

export interface LastUses {
  /** Notes a use; never an earlier one over a later one. */
  note(id: string, at: number): void;
  /** Hands what was noted to the group commit, now. */
  flush(): void;
}

/** Last uses in column `last_used_at` of the table. */
export function createLastUses(db: DatabaseSync, group: GroupCommit, table: string): LastUses {
  const store = db.prepare(`UPDATE ${table} SET last_used_at = max(ifnull(last_used_at, 0), ?) WHERE id = ?`);
  const noted = new Map<string, number>();
  let timer: NodeJS.Timeout | undefined;

  function flush(): void {
    clearTimeout(timer);
    timer = undefined;
    if (noted.size === 0) return;
    const uses = [...noted];
    noted.clear();
    // Losing these is allowed, so a full disk is nobody's fault here.
    group.write(() => uses.forEach(([id, at]) => store.run(at, id))).catch(() => {});
  }

  return {
    note(id, at) {
      noted.set(id, Math.max(at, noted.get(id) ?? 0));
      timer ??= setTimeout(flush, DELAY_MS).unref();
    },
    flush,
  };
}
