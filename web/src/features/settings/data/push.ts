// Push of the signed-in person: the devices and the rules, as the server has them, and their changes.
import { useState } from 'react';
import type { PushRules } from '#core/contract/index.ts';
import { unlessGone } from '../../../lib/api/api-error.ts';
import { queries, useQuery } from '../../../lib/queries.ts';
import { api } from '../../../lib/services.ts';
import type { Answer } from '../../../lib/api/calls.ts';
import { useSession } from '../../../lib/session/use-session.ts';
import { useSaveAtOnce } from '../../../lib/use-save-at-once.ts';

type Push = Answer<'GET /push'>['push'];

function useKey() {
  const { method, user } = useSession();
  return ['push', method, user?.id ?? 'nobody'];
}

/** Fails at once without a network, so that the page says so. */
export function usePush() {
  const { authenticated } = useSession();
  return useQuery({
    queryKey: useKey(),
    queryFn: async ({ signal }) => (await api('GET /push', { signal })).push,
    enabled: authenticated,
    networkMode: 'always',
  });
}

export function usePushDevices() {
  const queryKey = useKey();
  return {
    refetch: () => queries.invalidateQueries({ queryKey }),
    test: async (id: string) => {
      await api('POST /push/devices/:id/test', { params: { id } });
    },
    revoke: async (id: string) => {
      await unlessGone(api('DELETE /push/devices/:id', { params: { id } }));
      queries.setQueryData(
        queryKey,
        (push: Push | undefined) =>
          push && { ...push, devices: push.devices.filter((device) => device.id !== id) },
      );
    },
  };
}

/** The part of the screen that a change was made in: there its failure is said. */
export type RulesPart = 'silence' | 'pushed' | 'quiet';

/** A failure is said in the part that was changed last. */
export function useSaveRules() {
  const queryKey = useKey();
  const [part, setPart] = useState<RulesPart | null>(null);
  const { save, problem, dismiss, status } = useSaveAtOnce<PushRules>({
    read: () => queries.getQueryData<Push>(queryKey)?.rules,
    show: (rules) => queries.setQueryData(queryKey, (push: Push | undefined) => push && { ...push, rules }),
    send: async (body) => (await api('PUT /push/rules', { body })).rules,
  });
  return {
    save: (where: RulesPart, changes: Partial<PushRules>) => {
      setPart(where);
      save((before) => ({ ...before, ...changes }));
      // What is on its way is not shown before it is confirmed by a fetch that began earlier.
      void queries.cancelQueries({ queryKey });
    },
    problemIn: (where: RulesPart) => (part === where ? problem : null),
    dismiss,
    /** '' where nothing was changed in this part. */
    statusIn: (where: RulesPart) => (part === where ? status : ''),
  };
}
