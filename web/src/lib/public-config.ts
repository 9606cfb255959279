// The public settings of this server, fetched once.
import { useQuery } from '@tanstack/react-query';
import type { PublicConfig } from '#core/contract/index.ts';
import { api } from './services.ts';

export function usePublicConfig(enabled = true): PublicConfig | null {
  const { data } = useQuery({
    queryKey: ['config'],
    queryFn: async ({ signal }) => (await api('GET /config', { signal, as: 'nobody' })).config,
    staleTime: Infinity,
    enabled,
  });
  return data ?? null;
}
