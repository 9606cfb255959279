// push             devices and rules are JSON; rules NULL until they are chosen.
// push_endpoints   whose device has an endpoint, by the endpoint's hash: one owner's.
// push_shown       tasks that devices show; devices is JSON, of their ids.
// push_held        what is pushed later, together; task_ids is JSON.
// secrets          what the program made for itself, encrypted.
export const sql = `
CREATE TABLE push (
  owner_id TEXT PRIMARY KEY,
  devices TEXT NOT NULL,
  rules TEXT
) STRICT;
CREATE INDEX push_owners ON push (owner_id) WHERE devices <> '[]';

CREATE TABLE push_endpoints (
  hash TEXT PRIMARY KEY,
  owner_id TEXT NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX push_endpoints_owner ON push_endpoints (owner_id);

CREATE TABLE push_shown (
  owner_id TEXT NOT NULL,
  task_id TEXT NOT NULL,
  devices TEXT NOT NULL,
  until INTEGER NOT NULL,
  PRIMARY KEY (owner_id, task_id)
) STRICT, WITHOUT ROWID;
CREATE INDEX push_shown_until ON push_shown (until);

CREATE TABLE push_held (
  owner_id TEXT PRIMARY KEY,
  task_ids TEXT NOT NULL,
  due_at INTEGER NOT NULL
) STRICT;
CREATE INDEX push_held_due ON push_held (due_at);

CREATE TABLE secrets (
  id TEXT PRIMARY KEY,
  value TEXT NOT NULL
) STRICT;
`;
