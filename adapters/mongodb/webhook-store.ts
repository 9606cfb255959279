// Webhooks out. The number of each owner's is limited without transactions (member-list.ts).
import type { WebhookStore } from '#core/ports/webhook-store.ts';
import type { Clock } from '#core/ports/clock.ts';
import { QinboxError } from '#core/errors.ts';
import type { Database } from './server/collection.ts';
import { createMemberList } from './member-list.ts';
import { RETRY, retry } from './promises.ts';
import type { TaskEvents } from './tasks/task-events.ts';
import { toWebhook, webhookDocument, webhooksOf } from './webhook-documents.ts';

export const WEBHOOK_LISTS = 'webhook_lists';

export function createMongoWebhookStore(database: Database, events: TaskEvents, clock: Clock): WebhookStore {
  const webhooks = webhooksOf(database);
  const lists = createMemberList(database, WEBHOOK_LISTS, webhooks, clock);

  async function read(ownerId: string, id: string) {
    const found = await webhooks.read(id);
    return found?.owner === ownerId ? found : null;
  }

  return {
    async create(webhook, limit) {
      if (!(await lists.add(webhook.ownerId, webhook.id, limit))) return false;
      if (!(await webhooks.insert(webhookDocument(webhook)))) throw new QinboxError('CONFLICT');
      await events.reactionsChanged();
      return true;
    },
    async get(ownerId, id) {
      const found = await read(ownerId, id);
      return found === null ? null : toWebhook(found);
    },
    async list(ownerId) {
      const found = await webhooks.find({ owner: ownerId }, { sort: { _id: 1 }, hint: 'owner' });
      return found.map(toWebhook);
    },
    async change(ownerId, id, rule) {
      const done = await retry(async () => {
        const found = await read(ownerId, id);
        if (found === null) return null;
        const before = toWebhook(found);
        const after = rule(before);
        if (after === before) return { after, isChanged: false };
        const { _id, v: _version, ...fields } = webhookDocument(after);
        return (await webhooks.replace(found, fields)) ? { after, isChanged: true } : RETRY;
      });
      if (done?.isChanged === true) await events.reactionsChanged();
      return done?.after ?? null;
    },
    async remove(ownerId, id) {
      const removed = (await webhooks.removeMany({ _id: id, owner: ownerId })) > 0;
      if (removed) await events.reactionsChanged();
      await lists.remove(ownerId, id);
      return removed;
    },
  };
}
