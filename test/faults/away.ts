// The two ways in which a server is away: what brings it about, and what ends it.
import type { Service } from '#test/services/service.ts';
import { freeze, wake } from '#test/services/signals.ts';

export const WAYS_TO_BE_AWAY = [
  ['was killed', (own?: Service) => own?.kill(), (own?: Service) => own?.restart()],
  ['hangs', (own?: Service) => freeze(own?.pid ?? null), (own?: Service) => wake(own?.pid ?? null)],
] as const;
