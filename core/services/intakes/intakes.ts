// Intakes of an owner: created, listed, edited, paused, given a new address, revoked.
import { MAX_INTAKES, type CreateIntake, type EditIntake } from '#core/contract/index.ts';
import { hashSecret } from '#core/domain/api-key.ts';
import { defined } from '#core/domain/filled.ts';
import { fitTags } from '#core/domain/fit.ts';
import type { IdSource } from '#core/domain/ids.ts';
import { createIntakeToken, shortTokenOf } from '#core/domain/intake-token.ts';
import { changeSecrets, PREVIOUS_SECRET, previousSecretEnd } from '#core/domain/intake-secrets.ts';
import {
  revokedIntake,
  rotateTokens,
  type IntakeDefaults,
  type IntakeRecord,
  type IntakeToken,
} from '#core/domain/intake.ts';
import { invalid, QinboxError } from '#core/errors.ts';
import type { IntakeKind, IntakeConfig } from '#core/ports/adapter/intake.ts';
import type { Clock } from '#core/ports/clock.ts';
import type { EventBus } from '#core/ports/event-bus.ts';
import type { IntakeRule, IntakeStore } from '#core/ports/intake-store.ts';
import { editUntilStored } from '#core/services/edits.ts';
import type { IntakeEncryption } from './encryption.ts';
import { configOf, takesPreviousSecret, withoutSecrets, type CheckForm } from './settings.ts';

interface Parts {
  store: IntakeStore;
  encryption: IntakeEncryption;
  bus: EventBus;
  clock: Clock;
  nextId: IdSource;
  /** By adapter id. */
  kinds: ReadonlyMap<string, IntakeKind>;
  checkForm: CheckForm;
}

/** Of an intake that comes from a file, without its secrets: nothing proves itself until they are given. */
interface Imported {
  id: string;
  paused: boolean;
}

/** A new configuration, and the record that it replaces. */
interface ConfigChange {
  before: IntakeRecord | null;
  config: IntakeConfig;
  input: Pick<CreateIntake & EditIntake, 'verification' | 'secretGraceMinutes'>;
  kind: IntakeKind;
  now: number;
}

/** Fields of an edit that change the configuration. */
const CONFIG_FIELDS = ['preset', 'verification', 'mapping', 'settings', 'secretGraceMinutes'] as const;

const MINUTE_MS = 60_000;

export type Intakes = ReturnType<typeof createIntakes>;

export function createIntakes({ store, encryption, bus, clock, nextId, kinds, checkForm }: Parts) {
  const tokenParts = { store, encryption };
  const kindOf = (adapter: string): IntakeKind => kindIn(kinds, adapter);

  async function get(ownerId: string, id: string): Promise<IntakeRecord> {
    const record = await store.get(ownerId, id);
    if (record === null) throw notFound();
    return record;
  }

  async function change(ownerId: string, id: string, rule: IntakeRule): Promise<IntakeRecord> {
    const record = await store.change(ownerId, id, rule);
    if (record === null) throw notFound();
    bus.publish({ kind: 'access', userId: ownerId });
    return record;
  }

  return {
    kindOf,

    /** Whether there can be such an intake of a file beside `coming` new ones. As {@link create}. */
    check: (ownerId: string, input: CreateIntake, coming: number): Promise<void> =>
      checkOfFile({ store, kinds, checkForm }, ownerId, input, coming),

    get: async (ownerId: string, id: string): Promise<IntakeRecord> =>
      withShortToken(tokenParts, await get(ownerId, id)),

    list: async (ownerId: string): Promise<IntakeRecord[]> =>
      Promise.all((await store.list(ownerId)).map((record) => withShortToken(tokenParts, record))),

    /** CONFLICT when the owner has 100; VALIDATION_ERROR with the fields at fault. */
    async create(ownerId: string, input: CreateIntake, imported?: Imported): Promise<IntakeRecord> {
      const kind = kindOf(input.adapter);
      const form = imported === undefined ? kind : withoutSecrets(kind);
      const config = await configOf(form, { before: null, input }, checkForm);
      const now = clock.now();
      const id = imported?.id ?? nextId('in_', now);
      const record: IntakeRecord = {
        id,
        ownerId,
        name: nameOf(input.name),
        adapter: input.adapter,
        tokens: freshTokens(encryption, id),
        ...storedConfig(config),
        ...secretsAfter(encryption, id, { before: null, config, input, kind, now }),
        ...newSettings(input),
        ...(imported === undefined ? {} : { paused: imported.paused }),
        createdAt: now,
        updatedAt: now,
        lastUsedAt: null,
        revokedAt: null,
      };
      if (!(await store.create(record, MAX_INTAKES))) throw tooMany();
      return record;
    },

    edit: createEdit({ encryption, clock, checkForm, kindOf, get, change }),

    /** A new address; the old one stays good for `graceMinutes` (0..43200). */
    rotate(ownerId: string, id: string, graceMinutes: number): Promise<IntakeRecord> {
      const fresh = freshTokens(encryption, id);
      const now = clock.now();
      return change(ownerId, id, (record) => ({
        ...record,
        tokens: rotateTokens(record.tokens, fresh, graceMinutes * MINUTE_MS, now),
        previousSecretUntil: previousSecretEnd(record),
        updatedAt: now,
      }));
    },

    async revoke(ownerId: string, id: string): Promise<void> {
      const now = clock.now();
      await change(ownerId, id, (record) => revokedIntake(record, now));
    },
  };
}

interface EditParts extends Pick<Parts, 'encryption' | 'clock' | 'checkForm'> {
  kindOf: (adapter: string) => IntakeKind;
  get: (ownerId: string, id: string) => Promise<IntakeRecord>;
  change: (ownerId: string, id: string, rule: IntakeRule) => Promise<IntakeRecord>;
}

/** Of two edits at once, neither takes back what the other changed. */
function createEdit({ encryption, clock, checkForm, kindOf, get, change }: EditParts) {
  async function reconfigure(before: IntakeRecord, input: EditIntake): Promise<Partial<IntakeRecord>> {
    const kind = kindOf(before.adapter);
    const config = await configOf(kind, { before: encryption.open(before), input }, checkForm);
    const changed = { before, config, input, kind, now: clock.now() };
    return { ...storedConfig(config), ...secretsAfter(encryption, before.id, changed) };
  }

  return async (ownerId: string, id: string, input: EditIntake): Promise<IntakeRecord> => {
    const changesConfig = CONFIG_FIELDS.some((field) => field in input);
    const name = input.name === undefined ? undefined : nameOf(input.name);
    return editUntilStored('this intake', async () => {
      const before = await get(ownerId, id);
      const configured = changesConfig ? await reconfigure(before, input) : null;
      let isStale = false;
      const after = await change(ownerId, id, (record) => {
        // The new configuration was made of the one before: another that came since would be lost.
        isStale = configured !== null && configurationOf(record) !== configurationOf(before);
        const previousSecretUntil = previousSecretEnd(record);
        const edited = { ...configured, ...editedSettings(record, input), name: name ?? record.name };
        return isStale ? record : { ...record, previousSecretUntil, ...edited, updatedAt: clock.now() };
      });
      return isStale ? null : after;
    });
  };
}

function kindIn(kinds: ReadonlyMap<string, IntakeKind>, adapter: string): IntakeKind {
  const kind = kinds.get(adapter);
  if (kind === undefined)
    throw invalid([{ field: 'adapter', message: `must be one of: ${[...kinds.keys()].join(', ')}` }]);
  return kind;
}

async function checkOfFile(
  { store, kinds, checkForm }: Pick<Parts, 'store' | 'kinds' | 'checkForm'>,
  ownerId: string,
  input: CreateIntake,
  coming: number,
): Promise<void> {
  await configOf(withoutSecrets(kindIn(kinds, input.adapter)), { before: null, input }, checkForm);
  if ((await store.list(ownerId)).length + coming >= MAX_INTAKES) throw tooMany();
}

/** The secrets to store after a change; a secret that is replaced stays good until its grace is over. */
function secretsAfter(
  encryption: IntakeEncryption,
  id: string,
  { before, config, input, kind, now }: ConfigChange,
): Pick<IntakeRecord, 'encryptedSecrets' | 'previousSecretUntil'> {
  const { scheme } = config.verification;
  const takesPrevious = takesPreviousSecret(kind, scheme);
  const graceMinutes = input.secretGraceMinutes ?? (takesPrevious ? null : 0);
  if (!takesPrevious && graceMinutes !== 0)
    throw invalid([
      { field: 'secretGraceMinutes', message: `must be 0: ${scheme} takes no previous secret` },
    ]);
  const { secrets, previousUntil } = changeSecrets({
    before: before?.verification.scheme === scheme ? encryption.secretsOf(before) : null,
    wanted: config.secrets,
    saysPrevious: input.verification !== undefined && PREVIOUS_SECRET in input.verification,
    graceMinutes,
    now,
  });
  return { encryptedSecrets: encryption.encryptSecrets(id, secrets), previousSecretUntil: previousUntil };
}

function newSettings({ defaults = {}, events = [], reopens = true, hourlyCap = null }: CreateIntake) {
  return { defaults: defaultsOf(defaults), events, reopens, hourlyCap, paused: false };
}

/** The settings that take effect without the adapter; those left out of the edit stay. */
function editedSettings(record: IntakeRecord, input: EditIntake): Partial<IntakeRecord> {
  return {
    defaults: input.defaults === undefined ? record.defaults : defaultsOf(input.defaults),
    events: input.events ?? record.events,
    reopens: input.reopens ?? record.reopens,
    hourlyCap: input.hourlyCap === undefined ? record.hourlyCap : input.hourlyCap,
    paused: input.paused ?? record.paused,
  };
}

/** The fields of a configuration that a record has; its secrets are stored apart. */
function storedConfig({ preset, verification, mapping, settings }: IntakeConfig) {
  return { preset, verification, mapping, settings };
}

/** All that an edit of the configuration is made of, to compare. */
function configurationOf({ preset, verification, mapping, settings, ...secrets }: IntakeRecord): string {
  return JSON.stringify([preset, verification, mapping, settings, secrets.encryptedSecrets]);
}

function nameOf(name: string): string {
  const trimmed = name.trim();
  if (trimmed === '') throw invalid([{ field: 'name', message: 'must not be empty' }]);
  return trimmed;
}

function defaultsOf({
  priority,
  tags,
  expiryMinutes,
}: NonNullable<CreateIntake['defaults']>): IntakeDefaults {
  return defined({ priority, tags: tags && fitTags(tags), expiryMinutes });
}

function tooMany(): QinboxError {
  return new QinboxError(
    'CONFLICT',
    `There are ${MAX_INTAKES} intakes already. Revoke one that is no longer used first.`,
  );
}

function notFound(): QinboxError {
  return new QinboxError('NOT_FOUND', 'There is no such intake. It may have been revoked.');
}

/** A new token and its short form. */
function freshTokens(encryption: IntakeEncryption, intakeId: string): IntakeToken[] {
  const token = createIntakeToken();
  return [token, shortTokenOf(token).toLowerCase()].map((text) => storedToken(encryption, intakeId, text));
}

/** An intake that was made before tokens had a short form has one from here on. */
async function withShortToken(
  { store, encryption }: Pick<Parts, 'store' | 'encryption'>,
  record: IntakeRecord,
): Promise<IntakeRecord> {
  if (hasShortToken(record)) return record;
  const token = encryption.tokenOf(record);
  if (token === null) return record;
  const short = storedToken(encryption, record.id, shortTokenOf(token).toLowerCase());
  const newest = record.tokens[0]?.hash;
  const changed = await store.change(record.ownerId, record.id, (before) => {
    const [first, ...others] = before.tokens;
    if (first === undefined || first.hash !== newest || hasShortToken(before)) return before;
    return { ...before, tokens: [first, short, ...others] };
  });
  return changed ?? record;
}

/** Only the newest token and its short form have no end. */
function hasShortToken({ tokens }: IntakeRecord): boolean {
  return tokens[1]?.until === null;
}

function storedToken(encryption: IntakeEncryption, intakeId: string, text: string): IntakeToken {
  return {
    hash: hashSecret(text),
    encrypted: encryption.encryptToken(intakeId, text),
    until: null,
  };
}
