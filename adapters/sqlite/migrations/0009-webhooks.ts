// Webhooks out, and work that is due outside. A webhook's record is JSON. due_at is set exactly while work
// waits, ended_at afterwards. A lane's due_at is at most that of its work; holder has it until held_until.
export const sql = `
CREATE TABLE webhooks (
  id TEXT PRIMARY KEY,
  owner_id TEXT NOT NULL,
  record TEXT NOT NULL
) STRICT;
CREATE INDEX webhooks_owner ON webhooks (owner_id, id);

CREATE TABLE work (
  lane TEXT NOT NULL,
  id TEXT NOT NULL,
  kind TEXT NOT NULL,
  owner_id TEXT NOT NULL,
  key TEXT NOT NULL,
  sequence INTEGER NOT NULL,
  created_at INTEGER NOT NULL,
  due_at INTEGER,
  status TEXT NOT NULL,
  attempts INTEGER NOT NULL,
  last_attempt_at INTEGER,
  ended_at INTEGER,
  payload TEXT NOT NULL,
  result TEXT,
  UNIQUE (lane, id)
) STRICT;
CREATE INDEX work_due ON work (lane, due_at) WHERE due_at IS NOT NULL;
CREATE INDEX work_order ON work (lane, key, sequence) WHERE due_at IS NOT NULL;
CREATE INDEX work_latest ON work (lane, created_at);
CREATE INDEX work_ended ON work (lane, ended_at) WHERE ended_at IS NOT NULL;
CREATE INDEX work_purge ON work (ended_at) WHERE ended_at IS NOT NULL;

CREATE TABLE work_lanes (
  id TEXT PRIMARY KEY,
  kind TEXT NOT NULL,
  owner_id TEXT NOT NULL,
  due_at INTEGER,
  rest_until INTEGER NOT NULL DEFAULT 0,
  failures INTEGER NOT NULL DEFAULT 0,
  holder TEXT,
  held_until INTEGER NOT NULL DEFAULT 0
) STRICT, WITHOUT ROWID;
CREATE INDEX work_lanes_due ON work_lanes (due_at) WHERE due_at IS NOT NULL;
`;
