// The promises of the port WebhookStore, for every driver.
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { WebhookStore } from '#core/ports/webhook-store.ts';
import { createFakeClock } from '#test/helpers/clock.ts';
import { newOwner, webhookOf } from '#test/helpers/records.ts';
import type { StorageHarness, StorageUnderTest } from './harness.ts';

/** Runs the suite on a driver. */
export function describeWebhookStore(name: string, harness: StorageHarness): void {
  describe(`webhooks out: ${name}`, () => {
    let under: StorageUnderTest;
    let store: WebhookStore;
    let second: WebhookStore;
    let owner: string;

    beforeEach(async () => {
      under = await harness.create(createFakeClock());
      store = under.storage.webhooks;
      second = (await under.another()).webhooks;
      owner = newOwner();
    });
    afterEach(() => under.dispose());

    it('answers what was stored, in every process, to its owner alone', async () => {
      const first = webhookOf(owner, {
        name: 'a\u0000🛟',
        filter: { priorities: ['high'], intakes: ['in_1'], tags: ['$set'] },
        previous: { encryptedSecret: 'v1.former', until: 5 },
        off: { at: 1, reason: 'gone' },
      });
      const other = webhookOf(owner);
      expect(await store.create(first, 10)).toBe(true);
      expect(await second.create(other, 10)).toBe(true);
      await store.create(webhookOf(newOwner()), 10);
      expect(await second.get(owner, first.id)).toEqual(first);
      expect(await store.list(owner)).toEqual([first, other]);
      const stranger = newOwner();
      expect(await store.get(stranger, first.id)).toBeNull();
      expect(await store.list(stranger)).toEqual([]);
      expect(await store.change(stranger, first.id, (one) => ({ ...one, name: 'taken' }))).toBeNull();
      expect(await store.remove(stranger, first.id)).toBe(false);
      expect(await second.get(owner, first.id)).toEqual(first);
    });

    it('stores no more than the limit, however many are made at once, and has room again', async () => {
      const made = await Promise.all(
        Array.from({ length: 9 }, (_, n) => (n % 2 === 0 ? store : second).create(webhookOf(owner), 3)),
      );
      expect(made.filter(Boolean)).toHaveLength(3);
      const [first] = await store.list(owner);
      expect(await second.remove(owner, first?.id ?? '')).toBe(true);
      expect(await second.remove(owner, first?.id ?? '')).toBe(false);
      expect(await store.create(webhookOf(owner), 3)).toBe(true);
      expect(await store.create(webhookOf(owner), 3)).toBe(false);
    });

    it('loses no change of many at once', async () => {
      const webhook = webhookOf(owner, { name: '' });
      await store.create(webhook, 1);
      await Promise.all(
        Array.from({ length: 12 }, (_, n) =>
          (n % 2 === 0 ? store : second).change(owner, webhook.id, (one) => ({
            ...one,
            name: `${one.name}x`,
          })),
        ),
      );
      expect((await store.get(owner, webhook.id))?.name).toHaveLength(12);
      expect(await store.change(owner, 'none', (one) => one)).toBeNull();
    });
  });
}
