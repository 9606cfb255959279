// The first shape of the file. Times are integer milliseconds since the epoch, UTC.
//
// owners: one row for each queue, with a short number that stands for the owner's id in the indexes, the
//   counts of its live tasks by priority and pin, and two counters of which the revision is made.
// tasks: state is 0 for a task that is out of the queue (acknowledged, or expired and swept), 1 for a live
//   one, 2 for one that is live and pinned. purge_at is set exactly while state is 0. tags and metadata are
//   JSON, or NULL when empty. Each index makes every create slower, so one (tasks_by_id) serves to find a
//   task, to see that an id is not taken, and to list the live tasks in their order.
// claims: Idempotency-Keys and delivery ids with the outcomes that were answered.
// applied_orders: inserts that repeated a live task instead of making one, and which task that was.
export const sql = `
CREATE TABLE owners (
  seq INTEGER PRIMARY KEY,
  id TEXT NOT NULL UNIQUE,
  changes INTEGER NOT NULL DEFAULT 0,
  swept INTEGER NOT NULL DEFAULT 0,
  low INTEGER NOT NULL DEFAULT 0,
  normal INTEGER NOT NULL DEFAULT 0,
  high INTEGER NOT NULL DEFAULT 0,
  pinned_low INTEGER NOT NULL DEFAULT 0,
  pinned_normal INTEGER NOT NULL DEFAULT 0,
  pinned_high INTEGER NOT NULL DEFAULT 0
) STRICT;

CREATE TABLE tasks (
  seq INTEGER PRIMARY KEY,
  id TEXT NOT NULL,
  owner INTEGER NOT NULL,
  state INTEGER NOT NULL,
  priority INTEGER NOT NULL,
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL,
  expires_at INTEGER NOT NULL,
  last_occurred_at INTEGER NOT NULL,
  acknowledged_at INTEGER,
  purge_at INTEGER,
  pinned INTEGER NOT NULL,
  version INTEGER NOT NULL,
  occurrences INTEGER NOT NULL,
  source TEXT NOT NULL,
  dedupe_key TEXT,
  tags TEXT,
  content TEXT NOT NULL,
  metadata TEXT
) STRICT;

CREATE INDEX tasks_by_id ON tasks (owner, id, state, priority);
CREATE INDEX tasks_pinned ON tasks (owner, id, priority) WHERE state = 2;
CREATE INDEX tasks_expiry ON tasks (expires_at, owner, priority) WHERE state = 1;
CREATE UNIQUE INDEX tasks_dedupe ON tasks (owner, dedupe_key) WHERE dedupe_key IS NOT NULL AND state > 0;
CREATE INDEX tasks_restorable ON tasks (owner, acknowledged_at) WHERE acknowledged_at IS NOT NULL;
CREATE INDEX tasks_purge ON tasks (purge_at) WHERE state = 0;

CREATE TABLE claims (
  scope TEXT NOT NULL,
  key TEXT NOT NULL,
  fingerprint TEXT,
  answer TEXT NOT NULL,
  expires_at INTEGER NOT NULL,
  PRIMARY KEY (scope, key)
) STRICT;
CREATE INDEX claims_expiry ON claims (expires_at);

CREATE TABLE applied_orders (
  id TEXT PRIMARY KEY,
  answer TEXT NOT NULL,
  forget_at INTEGER NOT NULL
) STRICT;
CREATE INDEX applied_orders_forget ON applied_orders (forget_at);

CREATE TABLE users (
  id TEXT PRIMARY KEY,
  email TEXT NOT NULL UNIQUE,
  name TEXT NOT NULL,
  avatar_url TEXT,
  auth_provider TEXT NOT NULL,
  email_verified INTEGER NOT NULL,
  is_active INTEGER NOT NULL,
  is_admin INTEGER NOT NULL,
  created_at INTEGER NOT NULL,
  last_login_at INTEGER,
  password_hash TEXT
) STRICT;

CREATE TABLE api_keys (
  id TEXT PRIMARY KEY,
  user_id TEXT NOT NULL REFERENCES users (id),
  name TEXT NOT NULL,
  description TEXT,
  hash TEXT NOT NULL UNIQUE,
  prefix TEXT NOT NULL,
  last4 TEXT NOT NULL,
  scopes TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  last_used_at INTEGER,
  revoked_at INTEGER
) STRICT;
CREATE INDEX api_keys_active ON api_keys (user_id, created_at) WHERE revoked_at IS NULL;

CREATE TABLE sessions (
  id TEXT PRIMARY KEY,
  user_id TEXT NOT NULL REFERENCES users (id),
  refresh_hash TEXT NOT NULL,
  generation INTEGER NOT NULL,
  previous_hash TEXT,
  previous_until INTEGER NOT NULL,
  created_at INTEGER NOT NULL,
  expires_at INTEGER NOT NULL,
  revoked_at INTEGER
) STRICT;
CREATE INDEX sessions_expiry ON sessions (expires_at);
CREATE INDEX sessions_user ON sessions (user_id);

CREATE TABLE signin_links (
  hash TEXT PRIMARY KEY,
  user_id TEXT NOT NULL,
  expires_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TABLE rejected (
  id TEXT PRIMARY KEY,
  submission TEXT NOT NULL,
  code TEXT NOT NULL,
  reason TEXT NOT NULL,
  attempts INTEGER NOT NULL,
  rejected_at INTEGER NOT NULL
) STRICT;
CREATE INDEX rejected_latest ON rejected (rejected_at);

CREATE TABLE write_checks (
  only_row INTEGER PRIMARY KEY CHECK (only_row = 1),
  at INTEGER NOT NULL
) STRICT;
`;
