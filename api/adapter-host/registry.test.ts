// The registry names exactly the adapters that are there, so that adding a folder is all there is to adding
// one.
import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { registryModule } from '../../scripts/registry.ts';

it('the registry is what the folders of adapters/ingestion say', () => {
  const file = new URL('../../adapters/ingestion/registry.ts', import.meta.url);
  expect(readFileSync(file, 'utf8')).toBe(registryModule());
});
