// What owners want done about tasks that nobody acknowledges: one record for each, as JSON.
export const sql = `
CREATE TABLE follow_ups (
  owner_id TEXT PRIMARY KEY,
  record TEXT NOT NULL
) STRICT;
`;
