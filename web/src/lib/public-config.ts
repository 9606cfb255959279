// The public settings of this server, fetched once.
import type { PublicConfig } from '#core/contract/index.ts';
import { api } from './services.ts';
import { useFetchedOnce } from './use-fetched-once.ts';

const fetchConfig = async () => (await api('GET /config', { as: 'nobody' })).config;

export function usePublicConfig(enabled = true): PublicConfig | null {
  return useFetchedOnce(fetchConfig, enabled).data ?? null;
}
