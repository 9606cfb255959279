// The saved views of a user as JSON; null when there are none.
export const sql = 'ALTER TABLE users ADD COLUMN views TEXT;';
