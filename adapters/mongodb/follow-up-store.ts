// What owners want done about tasks that nobody acknowledges; one document for each.
import { noFollowUps } from '#core/domain/follow-ups.ts';
import type { FollowUpStore } from '#core/ports/follow-up-store.ts';
import type { Database } from './server/collection.ts';
import { followUpDocument, followUpsOf, toFollowUps } from './follow-up-documents.ts';
import { RETRY, retry } from './promises.ts';
import type { TaskEvents } from './tasks/task-events.ts';

export function createMongoFollowUpStore(database: Database, events: TaskEvents): FollowUpStore {
  const all = followUpsOf(database);
  return {
    async get(ownerId) {
      const found = await all.read(ownerId);
      return found === null ? null : toFollowUps(found);
    },
    async change(ownerId, rule) {
      const { after, isChanged } = await retry(async () => {
        const found = await all.read(ownerId);
        const before = found === null ? noFollowUps(ownerId) : toFollowUps(found);
        const changed = rule(before);
        if (changed === before) return { after: changed, isChanged: false };
        const document = followUpDocument(changed);
        const isStored =
          found === null ? await all.insert(document) : await all.replace(found, { record: document.record });
        return isStored ? { after: changed, isChanged: true } : RETRY;
      });
      if (isChanged) await events.reactionsChanged();
      return after;
    },
  };
}
