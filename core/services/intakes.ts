// Intakes of an owner: made, listed, edited, paused, given a new address, revoked. Secrets are sealed before they are kept.
import { MAX_INTAKES, type CreateIntake, type EditIntake } from '../contract/index.ts';
import { hashSecret } from '../domain/api-key.ts';
import { fitTags } from '../domain/fit.ts';
import type { IdSource } from '../domain/ids.ts';
import { createIntakeToken } from '../domain/intake-token.ts';
import { changeSecrets, PREVIOUS_SECRET, previousSecretEnd } from '../domain/intake-secrets.ts';
import { rotateTokens, type IntakeDefaults, type IntakeRecord, type IntakeToken } from '../domain/intake.ts';
import { invalid, QinboxError } from '../errors.ts';
import type { IntakeKind, IntakeConfig } from '../ports/adapter/intake.ts';
import type { Clock } from '../ports/clock.ts';
import type { EventBus } from '../ports/event-bus.ts';
import type { IntakeStore } from '../ports/intake-store.ts';
import type { IntakeCache } from './intake-cache.ts';
import { configOf, takesPreviousSecret, type CheckForm } from './intake-settings.ts';

interface Parts {
  store: IntakeStore;
  access: IntakeCache;
  bus: EventBus;
  clock: Clock;
  nextId: IdSource;
  /** By adapter id. */
  kinds: ReadonlyMap<string, IntakeKind>;
  checkForm: CheckForm;
}

/** A plan that an owner gave, beside what was there. */
interface PlanChange {
  before: IntakeRecord | null;
  plan: IntakeConfig;
  input: Pick<CreateIntake & EditIntake, 'verification' | 'secretGraceMinutes'>;
  kind: IntakeKind;
}

/** What of an edit concerns the plan. */
const PLAN_FIELDS = ['preset', 'verification', 'mapping', 'settings', 'secretGraceMinutes'] as const;

const MINUTE_MS = 60_000;

export type Intakes = ReturnType<typeof createIntakes>;

export function createIntakes({ store, access, bus, clock, nextId, kinds, checkForm }: Parts) {
  function kindOf(adapter: string): IntakeKind {
    const kind = kinds.get(adapter);
    if (kind === undefined)
      throw invalid([{ field: 'adapter', message: `must be one of: ${[...kinds.keys()].join(', ')}` }]);
    return kind;
  }

  async function get(ownerId: string, id: string): Promise<IntakeRecord> {
    const record = await store.get(ownerId, id);
    if (record === null) throw notFound();
    return record;
  }

  async function change(
    ownerId: string,
    id: string,
    rule: (record: IntakeRecord) => IntakeRecord,
  ): Promise<IntakeRecord> {
    const record = await store.change(ownerId, id, rule);
    if (record === null) throw notFound();
    bus.publish({ kind: 'access', userId: ownerId });
    return record;
  }

  function freshToken(intakeId: string): IntakeToken {
    const token = createIntakeToken();
    return { hash: hashSecret(token), encrypted: access.encryptToken(intakeId, token), until: null };
  }

  /** What is kept of the secrets of a plan: one that it replaces stays good until its grace is over. */
  function secretsAfter(
    id: string,
    { before, plan, input, kind }: PlanChange,
  ): Pick<IntakeRecord, 'encryptedSecrets' | 'previousSecretUntil'> {
    const { scheme } = plan.verification;
    const takesPrevious = takesPreviousSecret(kind, scheme);
    const graceMinutes = input.secretGraceMinutes ?? (takesPrevious ? null : 0);
    if (!takesPrevious && graceMinutes !== 0)
      throw invalid([
        { field: 'secretGraceMinutes', message: `must be 0: ${scheme} takes no previous secret` },
      ]);
    const { secrets, previousUntil } = changeSecrets({
      before: before?.verification.scheme === scheme ? access.secretsOf(before) : null,
      wanted: plan.secrets,
      saysPrevious: input.verification !== undefined && PREVIOUS_SECRET in input.verification,
      graceMinutes,
      now: clock.now(),
    });
    return { encryptedSecrets: access.seal(id, secrets), previousSecretUntil: previousUntil };
  }

  return {
    kindOf,
    get,

    list: (ownerId: string): Promise<IntakeRecord[]> => store.list(ownerId),

    /** CONFLICT when the owner has 100; VALIDATION_ERROR with the fields at fault. */
    async create(ownerId: string, input: CreateIntake): Promise<IntakeRecord> {
      const kind = kindOf(input.adapter);
      const plan = await configOf(kind, { before: null, input }, checkForm);
      const now = clock.now();
      const id = nextId('in_', now);
      const record: IntakeRecord = {
        id,
        ownerId,
        name: nameOf(input.name),
        adapter: input.adapter,
        tokens: [freshToken(id)],
        preset: plan.preset,
        verification: plan.verification,
        ...secretsAfter(id, { before: null, plan, input, kind }),
        mapping: plan.mapping,
        settings: plan.settings,
        defaults: defaultsOf(input.defaults ?? {}),
        events: input.events ?? [],
        reopens: input.reopens ?? true,
        hourlyCap: input.hourlyCap ?? null,
        paused: false,
        createdAt: now,
        updatedAt: now,
        lastUsedAt: null,
        revokedAt: null,
      };
      if (!(await store.create(record, MAX_INTAKES)))
        throw new QinboxError(
          'CONFLICT',
          `There are ${MAX_INTAKES} intakes already. Revoke one that is no longer used first.`,
        );
      return record;
    },

    async edit(ownerId: string, id: string, input: EditIntake): Promise<IntakeRecord> {
      const before = await get(ownerId, id);
      const touchesPlan = PLAN_FIELDS.some((field) => field in input);
      const kind = touchesPlan ? kindOf(before.adapter) : null;
      const plan =
        kind === null ? null : await configOf(kind, { before: access.open(before), input }, checkForm);
      const secrets = kind === null || plan === null ? null : secretsAfter(id, { before, plan, input, kind });
      const name = input.name === undefined ? undefined : nameOf(input.name);
      return change(ownerId, id, (record) => ({
        ...record,
        ...(plan === null
          ? {}
          : {
              preset: plan.preset,
              verification: plan.verification,
              mapping: plan.mapping,
              settings: plan.settings,
            }),
        ...(secrets ?? { previousSecretUntil: previousSecretEnd(record) }),
        name: name ?? record.name,
        defaults: input.defaults === undefined ? record.defaults : defaultsOf(input.defaults),
        events: input.events ?? record.events,
        reopens: input.reopens ?? record.reopens,
        hourlyCap: input.hourlyCap === undefined ? record.hourlyCap : input.hourlyCap,
        paused: input.paused ?? record.paused,
        updatedAt: clock.now(),
      }));
    },

    /** A new address; the old one stays good for `graceMinutes` (0..43200). */
    rotate(ownerId: string, id: string, graceMinutes: number): Promise<IntakeRecord> {
      const fresh = freshToken(id);
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
      await change(ownerId, id, (record) => ({ ...record, revokedAt: now, updatedAt: now }));
    },
  };
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
  return {
    ...(priority === undefined ? {} : { priority }),
    ...(tags === undefined ? {} : { tags: fitTags(tags) }),
    ...(expiryMinutes === undefined ? {} : { expiryMinutes }),
  };
}

function notFound(): QinboxError {
  return new QinboxError('NOT_FOUND', 'There is no such intake. It may have been revoked.');
}
