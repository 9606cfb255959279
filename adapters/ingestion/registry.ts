// Every built-in ingestion adapter, loaded on demand. `node scripts/registry.ts` makes it from the folders.
export const registry = {
  slack: () => import('./slack/adapter.ts'),
  smtp: () => import('./smtp/adapter.ts'),
  webhook: () => import('./webhook/adapter.ts'),
};
