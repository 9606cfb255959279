// Loads the ingestion adapters of this repository and of the operator, with their configuration.
import { registry } from '#adapters/ingestion/registry.ts';
import { ConfigError } from '#core/config-error.ts';
import type { Config } from '#core/config.ts';
import type { IngestionAdapter, RunningAdapter } from '#core/ports/adapter/adapter.ts';
import type { AdapterState } from '#core/ports/adapter/context.ts';
import type { AdapterSettings, IntakeKind, OtherAddress } from '#core/ports/adapter/intake.ts';
import { completed, loadExternal } from './external.ts';
import type { Adapter } from './public.ts';

/** The API's own way in: in lists, queues and metrics it has a name like an adapter's. */
const REST = { id: 'rest', title: 'REST API' };

export type IngestionAdapters = Awaited<ReturnType<typeof loadAdapters>>;

interface Loaded {
  adapter: IngestionAdapter<never>;
  /** Null when the config does not switch it on. */
  config: Record<string, unknown> | null;
}

/**
 * Loads every adapter, and takes those that are given. Throws ConfigError for what is no adapter and for a
 * wrong value.
 */
export async function loadAdapters(config: Config, given: readonly Adapter<never>[] = []) {
  const own = await Promise.all(Object.values(registry).map(async (load) => (await load()).default));
  const loaded = await Promise.all(config.adapterFiles.map((name) => loadExternal(name, config.dataDir)));
  const others = [...loaded, ...given.map((adapter) => completed(adapter, adapter.id))];
  const ids = new Set([REST.id]);
  const all: Loaded[] = [];
  for (const adapter of [...own, ...others] as IngestionAdapter<never>[]) {
    if (ids.has(adapter.id))
      throw new ConfigError('QINBOX_ADAPTERS', `must not name a second adapter with the id "${adapter.id}"`);
    ids.add(adapter.id);
    const own = config.adapterConfig(adapter);
    all.push({ adapter, config: adapter.isOn?.(own as never) === false ? null : own });
  }
  const on = all.filter((loaded) => loaded.config !== null);
  const withIntakes = on.flatMap(({ adapter: { id, title, intakes } }) =>
    intakes === undefined ? [] : [{ id, title, kind: intakes }],
  );
  const kindsById = new Map<string, IntakeKind>(withIntakes.map(({ id, kind }) => [id, kind]));
  const running = new Map<string, RunningAdapter>();

  return {
    /** Those that are switched on. */
    on,
    running,
    kindsById,
    kinds: () => withIntakes,
    otherAddresses: (id: string, token: string, settings: AdapterSettings): readonly OtherAddress[] => {
      const config = on.find(({ adapter }) => adapter.id === id)?.config ?? null;
      return kindsById.get(id)?.otherAddresses?.(token, settings, config) ?? [];
    },
    kind: (id: string): IntakeKind | undefined => kindsById.get(id),
    list: () => [REST, ...on.map(({ adapter: { id, title } }) => ({ id, title }))],
    /** `source` of the tasks of each. */
    sources: new Map(on.map(({ adapter: { id, source } }) => [id, source])),
    /** Calls that they add to the API, of those that are off too. */
    routes: all.flatMap(({ adapter: { routes }, config }) =>
      routes === undefined ? [] : [{ routes, config }],
    ),
    /** See {@link IngestionAdapter.accessRecords}. */
    accessRecords: all.flatMap(({ adapter: { id, accessRecords = [] } }) =>
      accessRecords.map((kind) => ({ adapter: id, kind })),
    ),
    /** How the running ones stand. */
    states: (): (AdapterState & { name: string })[] =>
      [...running].flatMap(([name, adapter]) => {
        const state = adapter.state?.() ?? null;
        return state === null ? [] : [{ name, ...state }];
      }),
  };
}
