// A Vitest reporter that writes what was counted to $QINBOX_TEST_REPORT, for scripts/test.mjs to add up over
// all runs. A file that could not be loaded and an error outside a test count as failures: nothing broken
// goes uncounted.
import { writeFileSync } from 'node:fs';

export default class CountReporter {
  onTestRunEnd(modules, unhandledErrors) {
    const counts = { passed: 0, failed: unhandledErrors.length, skipped: [] };
    for (const module of modules) {
      const broken = [...module.children.allSuites()].flatMap((suite) => suite.errors());
      counts.failed += module.errors().length + broken.length;
      for (const test of module.children.allTests()) {
        const result = test.result();
        if (result.state === 'passed') counts.passed++;
        else if (result.state === 'skipped')
          counts.skipped.push({
            test: `${module.relativeModuleId} › ${test.fullName}`,
            why: result.note ?? '',
          });
        else counts.failed++;
      }
    }
    writeFileSync(process.env.QINBOX_TEST_REPORT, JSON.stringify(counts));
  }
}
