// Webhooks out.
import type { DatabaseSync } from 'node:sqlite';
import type { WebhookRecord } from '#core/domain/webhook.ts';
import { QinboxError } from '#core/errors.ts';
import type { WebhookStore } from '#core/ports/webhook-store.ts';
import { reading } from './faults.ts';
import type { GroupCommit } from './disk/group-commit.ts';
import { prepareRows, prepareWrite, tableOf } from './table-sql.ts';
import type { TaskEvents } from './tasks/task-events.ts';

interface WebhookRow {
  id: string;
  ownerId: string;
  record: string;
}

export const WEBHOOKS = tableOf<WebhookRow>('webhooks', ['id', 'ownerId', 'record']);

export function webhookRow(webhook: WebhookRecord): WebhookRow {
  return { id: webhook.id, ownerId: webhook.ownerId, record: JSON.stringify(webhook) };
}

export function toWebhook({ record }: Pick<WebhookRow, 'record'>): WebhookRecord {
  return JSON.parse(record) as WebhookRecord;
}

export function createSqliteWebhookStore(
  db: DatabaseSync,
  group: GroupCommit,
  events: TaskEvents,
): WebhookStore {
  const insert = prepareWrite<WebhookRow>(db, `${WEBHOOKS.insert} ON CONFLICT (id) DO NOTHING`);
  const update = prepareWrite<WebhookRow>(db, WEBHOOKS.update);
  const find = prepareRows<WebhookRow>(db, 'SELECT record FROM webhooks WHERE id = ? AND owner_id = ?');
  const findAll = prepareRows<WebhookRow>(db, 'SELECT record FROM webhooks WHERE owner_id = ? ORDER BY id');
  const remove = db.prepare('DELETE FROM webhooks WHERE id = ? AND owner_id = ?');

  return {
    create: (webhook, limit) =>
      group.write(() => {
        if (findAll.all(webhook.ownerId).length >= limit) return false;
        if (insert(webhookRow(webhook)) === 0) throw new QinboxError('CONFLICT');
        events.reactionsChange();
        return true;
      }),
    get: (ownerId, id) =>
      reading(() => {
        const row = find.get(id, ownerId);
        return row === undefined ? null : toWebhook(row);
      }),
    list: (ownerId) => reading(() => findAll.all(ownerId).map(toWebhook)),
    change: (ownerId, id, rule) =>
      group.write(() => {
        const row = find.get(id, ownerId);
        if (row === undefined) return null;
        const before = toWebhook(row);
        const after = rule(before);
        if (after !== before) {
          update(webhookRow(after));
          events.reactionsChange();
        }
        return after;
      }),
    remove: (ownerId, id) =>
      group.write(() => {
        events.reactionsChange();
        return remove.run(id, ownerId).changes > 0;
      }),
  };
}
