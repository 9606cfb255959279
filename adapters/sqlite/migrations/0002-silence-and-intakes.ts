// Tasks that suppress their repeats, intakes with their deliveries, and the data of ingestion adapters.
//
// tasks: reopens tells whether a repeat after the acknowledgement makes a new task. silent_until is set
//   exactly while an acknowledged task suppresses repeats of its dedupe key. A new task is not in its index.
// intakes: record is the intake as JSON without its last use, so that a use does not rewrite it. An intake is
//   found by the columns beside it.
// intake_tokens: the tokens of each intake by their hashes, for as long as the intake is stored.
// deliveries: task_ids, notes and request are JSON.
// adapter_data: expires_at is NULL for what does not expire.
export const sql = `
ALTER TABLE tasks ADD COLUMN reopens INTEGER NOT NULL DEFAULT 1;
ALTER TABLE tasks ADD COLUMN silent_until INTEGER;
CREATE UNIQUE INDEX tasks_silent ON tasks (owner, dedupe_key) WHERE silent_until IS NOT NULL;

CREATE TABLE intakes (
  id TEXT PRIMARY KEY,
  owner_id TEXT NOT NULL,
  record TEXT NOT NULL,
  last_used_at INTEGER,
  revoked_at INTEGER
) STRICT;
CREATE INDEX intakes_owner ON intakes (owner_id, id) WHERE revoked_at IS NULL;
CREATE INDEX intakes_revoked ON intakes (revoked_at) WHERE revoked_at IS NOT NULL;

CREATE TABLE intake_tokens (
  hash TEXT PRIMARY KEY,
  intake_id TEXT NOT NULL REFERENCES intakes (id) ON DELETE CASCADE
) STRICT, WITHOUT ROWID;
CREATE INDEX intake_tokens_intake ON intake_tokens (intake_id);

CREATE TABLE deliveries (
  id TEXT PRIMARY KEY,
  intake_id TEXT NOT NULL,
  owner_id TEXT NOT NULL,
  at INTEGER NOT NULL,
  verdict TEXT NOT NULL,
  reason TEXT,
  event TEXT,
  task_ids TEXT NOT NULL,
  notes TEXT NOT NULL,
  request TEXT
) STRICT;
CREATE INDEX deliveries_intake ON deliveries (intake_id, id);
CREATE INDEX deliveries_at ON deliveries (at);

CREATE TABLE adapter_data (
  adapter TEXT NOT NULL,
  kind TEXT NOT NULL,
  key TEXT NOT NULL,
  owner_id TEXT,
  value TEXT NOT NULL,
  expires_at INTEGER,
  UNIQUE (adapter, kind, key)
) STRICT;
CREATE INDEX adapter_data_owner ON adapter_data (adapter, kind, owner_id, key);
CREATE INDEX adapter_data_expiry ON adapter_data (expires_at) WHERE expires_at IS NOT NULL;
`;
