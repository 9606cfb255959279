// Every ingestion adapter of ours, loaded when it is needed. Made from the folders by `node scripts/registry.ts`.
export const registry = {
  slack: () => import('./slack/adapter.ts'),
  smtp: () => import('./smtp/adapter.ts'),
  webhook: () => import('./webhook/adapter.ts'),
};
