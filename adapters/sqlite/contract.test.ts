// The contract suites on SQLite.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describeAccountDeletion } from '#test/contract/account-deletion.suite.ts';
import { describeOwnerData } from '#test/contract/owner-data.suite.ts';
import { describeAccountStore } from '#test/contract/account-store.suite.ts';
import { describeAdapterStore } from '#test/contract/adapter-store.suite.ts';
import type { StorageHarness } from '#test/contract/harness.ts';
import { describeIntakeStore } from '#test/contract/intake-store.suite.ts';
import { describeProof } from '#test/contract/address-proof.suite.ts';
import { describePushStore } from '#test/contract/push-store.suite.ts';
import { describeRejectedStore } from '#test/contract/rejected-store.suite.ts';
import { describeSweeping } from '#test/contract/sweeping.suite.ts';
import { describeTaskEvents } from '#test/contract/task-events.suite.ts';
import { describeTaskQuota } from '#test/contract/task-quota.suite.ts';
import { describeTaskStore } from '#test/contract/task-store.suite.ts';
import { describeVersions } from '#test/contract/versions.suite.ts';
import { describeTransfer } from '#test/contract/transfer.suite.ts';
import { describeFollowUpStore } from '#test/contract/follow-up-store.suite.ts';
import { describeWebhookStore } from '#test/contract/webhook-store.suite.ts';
import { describeWorkRunner } from '#test/contract/work-runner.suite.ts';
import { describeWorkStore } from '#test/contract/work-store.suite.ts';
import { openSqliteStorage, type SqliteStorageOptions } from './storage.ts';

const harnessWith = (options: Pick<SqliteStorageOptions, 'searchHereMs'>): StorageHarness => ({
  create(clock, { quota } = {}) {
    const directory = mkdtempSync(join(tmpdir(), 'qinbox-test-'));
    const file = join(directory, 'qinbox.db');
    const all = { file, clock, ...options, ...(quota === undefined ? {} : { quota }) };
    const opened = [openSqliteStorage(all)];
    return Promise.resolve({
      storage: opened[0] as (typeof opened)[0],
      another() {
        const another = openSqliteStorage(all);
        opened.push(another);
        return Promise.resolve(another);
      },
      dump: () => Promise.resolve(rowsIn(file)),
      async dispose() {
        for (const storage of opened) await storage.close();
        rmSync(directory, { recursive: true });
      },
    });
  },
});
const harness = harnessWith({});

function rowsIn(file: string): string[] {
  const db = new DatabaseSync(file, { readOnly: true });
  try {
    const tables = db.prepare("SELECT name FROM sqlite_schema WHERE type = 'table'").all();
    return tables.flatMap(({ name }) =>
      db
        .prepare(`SELECT * FROM "${String(name)}"`)
        .all()
        .map((row) => `${String(name)} ${JSON.stringify(row)}`),
    );
  } finally {
    db.close();
  }
}

describeTaskStore('SQLite', harness);
describeTaskStore('SQLite, searching in the thread', harnessWith({ searchHereMs: 0 }));
describeTaskQuota('SQLite', harness);
describeAccountStore('SQLite', harness);
describeRejectedStore('SQLite', harness);
describeIntakeStore('SQLite', harness);
describeAdapterStore('SQLite', harness);
describePushStore('SQLite', harness);
describeProof('SQLite', harness);
describeTransfer('SQLite', harness);
describeAccountDeletion('SQLite', harness);
describeOwnerData('SQLite', harness);
describeSweeping('SQLite', harness);
describeVersions('SQLite', harness);
describeTaskEvents('SQLite', harness);
describeWebhookStore('SQLite', harness);
describeFollowUpStore('SQLite', harness);
describeWorkStore('SQLite', harness);
describeWorkRunner('SQLite', harness);
