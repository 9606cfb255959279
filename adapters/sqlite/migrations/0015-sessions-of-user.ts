// For the sessions of a user, of which the latest stay.
export const sql = `
DROP INDEX sessions_user;
CREATE INDEX sessions_of_user ON sessions (user_id, revoked_at, created_at);
`;
