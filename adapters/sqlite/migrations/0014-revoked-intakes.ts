// For the revoked intakes of an owner, of which the latest stay.
export const sql = `
CREATE INDEX intakes_revoked_of_owner ON intakes (owner_id, revoked_at) WHERE revoked_at IS NOT NULL;
`;
