// The contract suites on MongoDB, or on what speaks its protocol here.
import { afterAll } from 'vitest';
import { describeAccountStore } from '#test/contract/account-store.suite.ts';
import { describeAdapterStore } from '#test/contract/adapter-store.suite.ts';
import { describeIntakeStore } from '#test/contract/intake-store.suite.ts';
import { describeProof } from '#test/contract/address-proof.suite.ts';
import { describeRejectedStore } from '#test/contract/rejected-store.suite.ts';
import { describeSweeping } from '#test/contract/sweeping.suite.ts';
import { describeTaskQuota } from '#test/contract/task-quota.suite.ts';
import { describeTaskStore } from '#test/contract/task-store.suite.ts';
import { describeVersions } from '#test/contract/versions.suite.ts';
import { describeTransfer } from '#test/contract/transfer.suite.ts';
import { createMongoHarness } from '#test/services/mongo-harness.ts';
import { describeWith, sharedMongo } from '#test/services/services.ts';

describeWith('the contract', await sharedMongo(), ({ url, kind }) => {
  const harness = createMongoHarness(url);
  afterAll(() => harness.drop());
  describeTaskStore(kind, harness);
  describeTaskQuota(kind, harness);
  describeAccountStore(kind, harness);
  describeRejectedStore(kind, harness);
  describeIntakeStore(kind, harness);
  describeAdapterStore(kind, harness);
  describeProof(kind, harness);
  describeTransfer(kind, harness);
  describeSweeping(kind, harness);
  describeVersions(kind, harness);
});
