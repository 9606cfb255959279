// The bytes that each owner's tasks take: content, tags and metadata, whatever state they are in.
export const sql = `
ALTER TABLE owners ADD COLUMN bytes INTEGER NOT NULL DEFAULT 0;
UPDATE owners SET bytes = ifnull(
  (SELECT sum(octet_length(content) + ifnull(octet_length(tags), 0) + ifnull(octet_length(metadata), 0))
     FROM tasks INDEXED BY tasks_by_id WHERE owner = owners.seq),
  0);
`;
