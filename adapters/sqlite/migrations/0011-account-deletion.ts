// Since when an account is being deleted; null while it is not. What is stored of its owner is found by the
// owner's id.
export const sql = `
ALTER TABLE users ADD COLUMN deleting_at INTEGER;
CREATE INDEX users_deleting ON users (created_at, id) WHERE deleting_at IS NOT NULL;
CREATE INDEX intakes_all_of_owner ON intakes (owner_id);
CREATE INDEX deliveries_owner ON deliveries (owner_id);
CREATE INDEX adapter_data_of_owner ON adapter_data (owner_id) WHERE owner_id IS NOT NULL;
CREATE INDEX work_owner ON work (owner_id);
`;
