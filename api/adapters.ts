// Loads the ingestion adapters, ours and the operator's, with their configuration.
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { Type } from 'typebox';
import { registry } from '#adapters/ingestion/registry.ts';
import { ConfigError, type Config } from '#core/config.ts';
import { type PartState } from '#core/contract/index.ts';
import type { IngestionAdapter, RunningAdapter } from '#core/ports/adapter/adapter.ts';
import type { IntakeKind } from '#core/ports/adapter/intake.ts';

export type IngestionAdapters = Awaited<ReturnType<typeof loadAdapters>>;

interface Loaded {
  adapter: IngestionAdapter<never>;
  config: Record<string, unknown>;
}

/** Loads every adapter. Throws ConfigError for a file that is none, and for a wrong variable of one. */
export async function loadAdapters(config: Config) {
  const own = await Promise.all(Object.values(registry).map(async (load) => (await load()).default));
  const others = await Promise.all(config.adapterFiles.map(loadFile));
  const all = [...own, ...others] as IngestionAdapter<never>[];
  const loaded: Loaded[] = [];
  for (const adapter of all) {
    if (loaded.some((other) => other.adapter.id === adapter.id))
      throw new ConfigError('QINBOX_ADAPTERS', `must not name a second adapter with the id "${adapter.id}"`);
    const own = config.adapterConfig(adapter);
    if (adapter.isOn?.(own as never) !== false) loaded.push({ adapter, config: own });
  }
  const withIntakes = loaded.flatMap(({ adapter: { id, title, intakes } }) =>
    intakes === undefined ? [] : [{ id, title, kind: intakes }],
  );
  const kindsById = new Map<string, IntakeKind>(withIntakes.map(({ id, kind }) => [id, kind]));
  const running = new Map<string, RunningAdapter>();

  return {
    loaded,
    running,
    kindsById,
    kinds: () => withIntakes,
    kind: (id: string): IntakeKind | undefined => kindsById.get(id),
    list: () => loaded.map(({ adapter: { id, title } }) => ({ id, title })),
    /** `source` of the tasks of each. */
    sources: new Map(loaded.map(({ adapter: { id, source } }) => [id, source])),
    /** What running ones say of themselves, for `/ready`. */
    states: (): PartState[] =>
      [...running].flatMap(([name, adapter]) => {
        const state = adapter.state?.() ?? null;
        return state === null ? [] : [{ name, ...state }];
      }),
  };
}

async function loadFile(file: string): Promise<IngestionAdapter<never>> {
  const refuse = (why: string) => new ConfigError('QINBOX_ADAPTERS', `must name adapters: ${file} ${why}`);
  let module: { default?: Partial<IngestionAdapter<never>> };
  try {
    module = (await import(pathToFileURL(resolve(file)).href)) as typeof module;
  } catch (error) {
    throw refuse(`cannot be loaded (${(error as Error).message.split('\n')[0] ?? ''})`);
  }
  const adapter = module.default;
  if (typeof adapter?.id !== 'string' || typeof adapter.start !== 'function')
    throw refuse('does not default-export defineAdapter({ … })');
  if (!/^[a-z][a-z0-9-]{0,29}$/.test(adapter.id))
    throw refuse(`has the id "${adapter.id}"; it must be a lower-case word of at most 30 characters`);
  return {
    title: adapter.id,
    roles: ['api'],
    source: 'integration',
    configSchema: Type.Object({}),
    environment: {},
    secretFields: [],
    ...adapter,
  } as IngestionAdapter<never>;
}
