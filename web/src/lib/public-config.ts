// The public settings of this server, fetched once.
import type { PublicConfig } from '#core/contract/index.ts';
import { api } from './services.ts';
import { useFetchedOnce } from './use-fetched-once.ts';

const fetchConfig = async ({ signal }: { signal: AbortSignal }) =>
  (await api('GET /config', { signal, as: 'nobody' })).config;

export function usePublicConfig(enabled = true): PublicConfig | null {
  return useFetchedOnce('config', fetchConfig, enabled).data ?? null;
}
