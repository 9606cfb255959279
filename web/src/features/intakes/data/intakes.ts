// Intakes and their deliveries: one cache for all screens, updated by the answers to changes. Secrets are
// cached by this page only, until the person signs out.
import type { CreateIntake, Delivery, EditIntake, Intake, IntakeKindInfo } from '#core/contract/index.ts';
import { unlessGone } from '../../../lib/api/api-error.ts';
import { useCreateOnce } from '../../../lib/create-once.ts';
import { queries, useQuery } from '../../../lib/queries.ts';
import { intakeListKey } from '../../../lib/intake-list.ts';
import { api } from '../../../lib/services.ts';
import { createSessionCache } from '../../../lib/session-cache.ts';
import { useSession } from '../../../lib/session/use-session.ts';

const KINDS_STALE_MS = 5 * 60_000;

const knownSecretsById = createSessionCache<Readonly<Record<string, string>>>();

/** The secrets of an intake that this page has created or changed; null when they are not known. */
export function knownSecrets(intakeId: string): Readonly<Record<string, string>> | null {
  return knownSecretsById.get(intakeId) ?? null;
}

function useKeys() {
  const { user } = useSession();
  const owner = user?.id ?? 'nobody';
  return {
    kinds: ['intakes', owner, 'kinds'],
    list: intakeListKey(owner),
    one: (id: string) => ['intakes', owner, 'one', id],
    deliveries: (id: string) => ['intakes', owner, 'deliveries', id],
    delivery: (id: string, deliveryId: string) => ['intakes', owner, 'delivery', id, deliveryId],
  };
}

export function useKinds() {
  const keys = useKeys();
  return useQuery({
    queryKey: keys.kinds,
    queryFn: async ({ signal }) => (await api('GET /intakes/adapters', { signal })).adapters,
    staleTime: KINDS_STALE_MS,
  });
}

export function useIntake(id: string) {
  const keys = useKeys();
  return useQuery({
    queryKey: keys.one(id),
    queryFn: async ({ signal }) => (await api('GET /intakes/:id', { params: { id }, signal })).intake,
    // Coming from the list there is something to show at once.
    placeholderData: () => queries.getQueryData<Intake[]>(keys.list)?.find((each) => each.id === id),
  });
}

/** The last 50, the latest first. `everyMs` is the interval, by the deliveries and the number of fetches. */
export function useDeliveries(id: string, everyMs?: (last: readonly Delivery[], times: number) => number) {
  const keys = useKeys();
  return useQuery({
    queryKey: keys.deliveries(id),
    queryFn: async ({ signal }) =>
      (await api('GET /intakes/:id/deliveries', { params: { id }, signal })).deliveries,
    refetchInterval: ({ state }) => everyMs?.(state.data ?? [], state.dataUpdateCount) ?? false,
  });
}

/** One delivery with its request. */
export function useDelivery(id: string, deliveryId: string) {
  const keys = useKeys();
  return useQuery({
    queryKey: keys.delivery(id, deliveryId),
    queryFn: ({ signal }) =>
      api('GET /intakes/:id/deliveries/:deliveryId', { params: { id, deliveryId }, signal }),
    staleTime: Infinity,
  });
}

/** Changes of an intake. The answer is shown at once everywhere. */
export function useIntakeCalls() {
  const keys = useKeys();
  const createOnce = useCreateOnce();

  function show(intake: Intake): Intake {
    queries.setQueryData(keys.one(intake.id), intake);
    queries.setQueryData(keys.list, (list: Intake[] | undefined) =>
      list?.map((each) => (each.id === intake.id ? intake : each)),
    );
    return intake;
  }
  const seeDeliveries = (id: string) => queries.invalidateQueries({ queryKey: keys.deliveries(id) });
  async function revoke(id: string): Promise<void> {
    await unlessGone(api('DELETE /intakes/:id', { params: { id } }));
    knownSecretsById.delete(id);
    queries.setQueryData(keys.list, (list: Intake[] | undefined) => list?.filter((each) => each.id !== id));
  }

  return {
    seeDeliveries,
    create: async (input: CreateIntake, secrets: Readonly<Record<string, string>>): Promise<Intake> => {
      const { intake } = await createOnce({
        name: input.name,
        create: () => api('POST /intakes', { body: input }),
        list: async () => (await api('GET /intakes')).intakes,
        remove: revoke,
      });
      knownSecretsById.set(intake.id, secrets);
      queries.setQueryData(keys.one(intake.id), intake);
      queries.setQueryData(keys.list, (list: Intake[] | undefined) => list && [intake, ...list]);
      return intake;
    },
    /** `secrets`: the secrets among the changes. */
    edit: async (
      id: string,
      changes: EditIntake,
      secrets: Readonly<Record<string, string>> = {},
    ): Promise<Intake> => {
      const { intake } = await api('PATCH /intakes/:id', { params: { id }, body: changes });
      if (Object.keys(secrets).length > 0) knownSecretsById.set(id, secrets);
      return show(intake);
    },
    rotate: async (id: string, graceMinutes: number): Promise<Intake> =>
      show((await api('POST /intakes/:id/rotate', { params: { id }, body: { graceMinutes } })).intake),
    revoke,
    test: async (id: string) => {
      const { delivery } = await api('POST /intakes/:id/test', { params: { id } });
      void seeDeliveries(id);
      return delivery;
    },
    replay: async (id: string, deliveryId: string) => {
      const { delivery } = await api('POST /intakes/:id/deliveries/:deliveryId/replay', {
        params: { id, deliveryId },
      });
      void seeDeliveries(id);
      return delivery;
    },
  };
}

export function kindOf(kinds: readonly IntakeKindInfo[] | undefined, adapter: string): IntakeKindInfo | null {
  return kinds?.find(({ id }) => id === adapter) ?? null;
}

export function presetOf(kind: IntakeKindInfo | null, preset: string | null) {
  return kind?.presets.find(({ id }) => id === preset) ?? null;
}
