// The signed-in person's escalations and what came of them: fetched once, updated by the answers to changes.
import type { Escalation, EscalationRun, SaveEscalation } from '#core/contract/index.ts';
import { unlessGone } from '../../../lib/api/api-error.ts';
import type { Answer } from '../../../lib/api/calls.ts';
import { useCreateOnce } from '../../../lib/create-once.ts';
import { queries, useQuery } from '../../../lib/queries.ts';
import { api } from '../../../lib/services.ts';
import { useSession } from '../../../lib/session/use-session.ts';

/** How often runs are fetched while one is due or about to be, and else. */
const LOOK_MS = 1000;
const IDLE_LOOK_MS = 5000;

type Listed = Omit<Answer<'GET /escalations'>, 'success'>;
/** An own account or channel in Slack. */
export type SlackPlace = Listed['slack'][number];

function useKeys() {
  const { user } = useSession();
  const owner = user?.id ?? 'nobody';
  return {
    list: ['escalations', owner, 'list'],
    devices: ['escalations', owner, 'devices'],
    app: ['escalations', owner, 'app'],
    runs: (id: string) => ['escalations', owner, 'runs', id],
  };
}

/** Oldest first. Fails at once without a network, so that the page says so. */
export function useEscalations() {
  const { list } = useKeys();
  return useQuery<Listed>({
    queryKey: list,
    queryFn: async ({ signal }) => {
      const { escalations, mail, slack } = await api('GET /escalations', { signal });
      return { escalations, mail, slack };
    },
    networkMode: 'always',
  });
}

/** The latest due first, for as long as they are shown. */
export function useRuns(id: string) {
  const { runs } = useKeys();
  return useQuery({
    queryKey: runs(id),
    queryFn: async ({ signal }) => (await api('GET /escalations/:id/runs', { params: { id }, signal })).runs,
    networkMode: 'always',
    refetchInterval: ({ state }) => ((state.data ?? []).some(isAboutToBeDone) ? LOOK_MS : IDLE_LOOK_MS),
  });
}

const isAboutToBeDone = ({ status, dueAt }: EscalationRun): boolean =>
  status === 'waiting' && Date.parse(dueAt) <= Date.now() + IDLE_LOOK_MS;

/** Whether a push would reach any device; undefined while it is not known. */
export function useHasDevices(): boolean | undefined {
  const { devices } = useKeys();
  const { data } = useQuery({
    queryKey: devices,
    queryFn: async ({ signal }) => (await api('GET /push', { signal })).push.devices.length > 0,
  });
  return data;
}

/** Whether this server has a Slack app to which an account can be linked; undefined while not known. */
export function useHasSlackApp(): boolean | undefined {
  const { app } = useKeys();
  const { data } = useQuery({
    queryKey: app,
    queryFn: async ({ signal }) => (await api('GET /slack', { signal })).slack.configured,
  });
  return data;
}

export function useEscalationCalls() {
  const keys = useKeys();
  const createOnce = useCreateOnce();

  function change(rule: (escalations: readonly Escalation[]) => Escalation[]): void {
    queries.setQueryData(
      keys.list,
      (listed: Listed | undefined) => listed && { ...listed, escalations: rule(listed.escalations) },
    );
  }

  async function remove(id: string): Promise<void> {
    await unlessGone(api('DELETE /escalations/:id', { params: { id } }));
    change((all) => all.filter((each) => each.id !== id));
  }

  return {
    create: async (body: SaveEscalation): Promise<void> => {
      const { escalation } = await createOnce({
        name: body.name,
        create: () => api('POST /escalations', { body }),
        list: async () => (await api('GET /escalations')).escalations,
        remove,
      });
      change((all) => [...all, escalation]);
    },
    save: async (id: string, body: SaveEscalation): Promise<void> => {
      const { escalation } = await api('PUT /escalations/:id', { params: { id }, body });
      change((all) => all.map((each) => (each.id === id ? escalation : each)));
    },
    remove,
    test: async (id: string): Promise<void> => {
      await api('POST /escalations/:id/test', { params: { id } });
      await queries.invalidateQueries({ queryKey: keys.runs(id) });
    },
  };
}
