// What waits in a lane is counted, with its bytes, in the index alone.
export const sql = `
DROP INDEX work_due;
CREATE INDEX work_due ON work (lane, due_at, octet_length(payload)) WHERE due_at IS NOT NULL;
`;
