// The time at which an API key ends by itself; null for one that lasts until it is revoked.
export const sql = `
ALTER TABLE api_keys ADD COLUMN expires_at INTEGER;
`;
