// Push of the signed-in person: the devices and the rules, as the server has them, and their changes.
import { useRef, useState } from 'react';
import type { PushRules } from '#core/contract/index.ts';
import { problemOf, type Problem } from '../../../lib/api/api-error.ts';
import { queries, useQuery } from '../../../lib/queries.ts';
import { api } from '../../../lib/services.ts';
import type { Answer } from '../../../lib/api/calls.ts';
import { useSession } from '../../../lib/session/use-session.ts';

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
      await api('DELETE /push/devices/:id', { params: { id } });
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

/** Rules are shown as changed at once, saved one after the other, and as before when that fails. */
export function useSaveRules() {
  const queryKey = useKey();
  const [state, setState] = useState<'idle' | 'saving' | 'saved'>('idle');
  const [failed, setFailed] = useState<{ part: RulesPart; problem: Problem } | null>(null);
  const [part, setPart] = useState<RulesPart | null>(null);
  const next = useRef<PushRules | null>(null);
  const isRunning = useRef(false);

  function show(rules: PushRules) {
    queries.setQueryData(queryKey, (push: Push | undefined) => push && { ...push, rules });
  }

  async function run(saved: PushRules, where: RulesPart) {
    isRunning.current = true;
    let confirmed = saved;
    let problem: Problem | null = null;
    while (next.current !== null) {
      const body = next.current;
      next.current = null;
      try {
        confirmed = (await api('PUT /push/rules', { body })).rules;
        problem = null;
      } catch (error) {
        problem = problemOf(error, 'Failed to save. Check the network and try again.');
      }
    }
    isRunning.current = false;
    show(confirmed);
    setState(problem === null ? 'saved' : 'idle');
    if (problem !== null) setFailed({ part: where, problem });
  }

  return {
    save: (where: RulesPart, changes: Partial<PushRules>) => {
      const before = queries.getQueryData<Push>(queryKey)?.rules;
      if (before === undefined) return;
      next.current = { ...before, ...changes };
      show(next.current);
      setPart(where);
      setFailed(null);
      setState('saving');
      // What is on its way is not shown before it is confirmed by a fetch that began earlier.
      void queries.cancelQueries({ queryKey });
      if (!isRunning.current) void run(before, where);
    },
    problemIn: (where: RulesPart) => (failed?.part === where ? failed.problem : null),
    dismiss: () => setFailed(null),
    /** '' where nothing was changed in this part. */
    statusIn: (where: RulesPart) =>
      part !== where || state === 'idle' ? '' : state === 'saving' ? 'Saving…' : 'Saved',
  };
}
