// The promises of the port TaskStore, for every driver, with or without transactions. Nothing here knows how
// a driver stores its tasks.
import { describe } from 'vitest';
import type { StorageHarness } from './harness.ts';
import { describeTaskChanges } from './task-change.suite.ts';
import { describeTaskClaims } from './task-claims.suite.ts';
import { describeTaskClosing } from './task-closing.suite.ts';
import { describeTaskCreation } from './task-create.suite.ts';
import { describeTaskLists } from './task-list.suite.ts';
import { describeTaskModel } from './task-model.suite.ts';
import { describeTaskRepeats } from './task-repeats.suite.ts';
import { describeTaskSearches } from './task-search.suite.ts';
import { describeTaskSnoozing } from './task-snooze.suite.ts';

/** Runs the suite on a driver. */
export function describeTaskStore(name: string, harness: StorageHarness): void {
  describe(`task store: ${name}`, () => {
    describeTaskCreation(harness);
    describeTaskRepeats(harness);
    describeTaskClaims(harness);
    describeTaskChanges(harness);
    describeTaskLists(harness);
    describeTaskSearches(harness);
    describeTaskClosing(harness);
    describeTaskSnoozing(harness);
    describeTaskModel(harness);
  });
}
