// For the revoked keys of a user, of which the latest stay.
export const sql = `
CREATE INDEX api_keys_revoked ON api_keys (user_id, revoked_at) WHERE revoked_at IS NOT NULL;
`;
