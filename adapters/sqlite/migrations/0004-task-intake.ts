// The intake that a task came through and the latest delivery of it, as JSON; NULL for other tasks and old
// ones. It is the last column, so that a row without one is as short as before.
export const sql = `
ALTER TABLE tasks ADD COLUMN intake TEXT;
`;
