// The contract suites on MongoDB, and what they ask of a sharded one.
import { afterAll, expect, it } from 'vitest';
import { describeAccountDeletion } from '#test/contract/account-deletion.suite.ts';
import { describeOwnerData } from '#test/contract/owner-data.suite.ts';
import { describeAccountStore } from '#test/contract/account-store.suite.ts';
import { describeAdapterStore } from '#test/contract/adapter-store.suite.ts';
import { describeIntakeStore } from '#test/contract/intake-store.suite.ts';
import { describeProof } from '#test/contract/address-proof.suite.ts';
import { describePushStore } from '#test/contract/push-store.suite.ts';
import { describeRejectedStore } from '#test/contract/rejected-store.suite.ts';
import { describeSweeping } from '#test/contract/sweeping.suite.ts';
import { describeTaskEvents } from '#test/contract/task-events.suite.ts';
import { describeTaskQuota } from '#test/contract/task-quota.suite.ts';
import { describeTaskStore } from '#test/contract/task-store.suite.ts';
import { describeVersions } from '#test/contract/versions.suite.ts';
import { describeTransfer } from '#test/contract/transfer.suite.ts';
import { describeFollowUpStore } from '#test/contract/follow-up-store.suite.ts';
import { describeWebhookStore } from '#test/contract/webhook-store.suite.ts';
import { describeWorkRunner } from '#test/contract/work-runner.suite.ts';
import { describeWorkStore } from '#test/contract/work-store.suite.ts';
import { createMongoHarness } from '#test/services/mongo-harness.ts';
import { createScatterWatch } from '#test/services/mongo-scatter.ts';
import { describeWith, sharedMongo } from '#test/services/services.ts';

describeWith('the contract', await sharedMongo(), ({ url, kind }) => {
  const scattered = createScatterWatch();
  const harness = createMongoHarness(url, { onCommand: scattered.note });
  afterAll(() => harness.drop());
  describeTaskStore(kind, harness);
  describeTaskQuota(kind, harness);
  describeAccountStore(kind, harness);
  describeRejectedStore(kind, harness);
  describeIntakeStore(kind, harness);
  describeAdapterStore(kind, harness);
  describePushStore(kind, harness);
  describeProof(kind, harness);
  describeTransfer(kind, harness);
  describeAccountDeletion(kind, harness);
  describeOwnerData(kind, harness);
  describeSweeping(kind, harness);
  describeVersions(kind, harness);
  describeTaskEvents(kind, harness);
  describeWebhookStore(kind, harness);
  describeFollowUpStore(kind, harness);
  describeWorkStore(kind, harness);
  describeWorkRunner(kind, harness);

  it('sends whatever is asked of a sharded collection to one shard, but for what looks through all of it', () => {
    expect(scattered.noted()).toBeGreaterThan(1000);
    expect(scattered.found().toSorted()).toEqual(
      [
        // The sweep: what is due, what wakes, and what is past its time.
        'applied_orders find purgeAt',
        'claims find purgeAt',
        'dedupe_keys find checkAt',
        'tasks delete _id outboxSince purgeAt state',
        'tasks find outboxSince purgeAt state',
        'tasks find state visibleUntil',
        'tasks find wakeAt',
        // What webhooks are told, on its way to them.
        'tasks find outboxSince',
        // What is removed with its owner.
        'applied_orders find owner',
        'claims find owner',
        'dedupe_keys find owner',
        // A copy of the whole store.
        'tasks find _id',
      ].toSorted(),
    );
  });
});
