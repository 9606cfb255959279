// snoozed_until is as in the task. wake_at is the same time until the sweep has told of the waking, else
// NULL: the tasks that are hidden at a moment are those with a later wake_at. Both are the last columns, so
// that a row without them is as short as before, and the indexes have only the rows that sleep.
export const sql = `
ALTER TABLE tasks ADD COLUMN snoozed_until INTEGER;
ALTER TABLE tasks ADD COLUMN wake_at INTEGER;
CREATE INDEX tasks_asleep ON tasks (owner, wake_at, state, priority) WHERE wake_at IS NOT NULL;
CREATE INDEX tasks_wake ON tasks (wake_at) WHERE wake_at IS NOT NULL;
`;
