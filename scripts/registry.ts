// Writes adapters/ingestion/registry.ts from the folders beside it: `node scripts/registry.ts`. A test
// compares the two.
import { existsSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const folder = fileURLToPath(new URL('../adapters/ingestion', import.meta.url));

/** The module, as it should be. */
export function registryModule(): string {
  const ids = readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && existsSync(join(folder, entry.name, 'adapter.ts')))
    .map(({ name }) => name)
    .toSorted();
  return [
    '// Every built-in ingestion adapter, loaded on demand. `node scripts/registry.ts` makes it from the folders.',
    'export const registry = {',
    ...ids.map((id) => `  ${id}: () => import('./${id}/adapter.ts'),`),
    '};',
    '',
  ].join('\n');
}

if (process.argv[1] === fileURLToPath(import.meta.url))
  writeFileSync(join(folder, 'registry.ts'), registryModule());
