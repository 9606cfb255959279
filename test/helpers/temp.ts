// Directories that last as long as the test that asked for them.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';

/** A new empty directory, removed when the test has finished. */
export function createTempDir(): string {
  const directory = mkdtempSync(join(tmpdir(), 'qinbox-test-'));
  onTestFinished(() => rmSync(directory, { recursive: true, force: true }));
  return directory;
}
