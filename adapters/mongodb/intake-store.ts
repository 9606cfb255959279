// The port of intakes and their deliveries over MongoDB.
import { isTokenGood, type DeliveryRecord, type IntakeRecord } from '#core/domain/intake.ts';
import { QinboxError } from '#core/errors.ts';
import type { Clock } from '#core/ports/clock.ts';
import { MAX_DELIVERIES, type IntakeRule, type IntakeStore } from '#core/ports/intake-store.ts';
import type { Calls } from './deadline.ts';
import { until, type Documents, type Table } from './documents.ts';
import {
  deliveryDocument,
  intakeFields,
  toDelivery,
  toIntake,
  type DeliveryDocument,
  type IntakeDocument,
} from './intake-documents.ts';
import { createIntakeTokens } from './intake-tokens.ts';
import { createLastUses } from './last-uses.ts';
import { createRings, type Rings } from './rings.ts';
import { purge } from './sweeper.ts';

const PURGE_BATCH = 500;
/** Deliveries to an intake after which those that are too many are looked for; they need not go one by one. */
const TRIM_EVERY = 10;
/** Intakes whose deliveries since then are counted. */
const MAX_COUNTED = 10_000;

/** An intake store that may hold back the last uses of intakes. */
export interface MongoIntakeStore extends IntakeStore {
  /** Stores what was held back. */
  flush(): Promise<void>;
}

/** The rings of intakes that are not revoked, by owner. */
export function createIntakeRings(documents: Documents, intakes: Table<IntakeDocument>, clock: Clock): Rings {
  return createRings(documents, 'intake_rings', clock, async (id) => {
    const intake = await intakes.read(id);
    return intake === null ? null : intake.revokedAt === null;
  });
}

export function createMongoIntakeStore(documents: Documents, calls: Calls, clock: Clock): MongoIntakeStore {
  const intakes = documents.table<IntakeDocument>('intakes');
  const deliveries = documents.table<DeliveryDocument>('deliveries');
  const tokens = createIntakeTokens(documents, intakes, clock);
  const rings = createIntakeRings(documents, intakes, clock);
  const uses = createLastUses(calls, (id, at) =>
    until(async () => {
      const document = await intakes.read(id);
      if (document === null || (document.lastUsedAt?.getTime() ?? 0) >= at) return { answer: null };
      return (await intakes.swap(document, { ...document, lastUsedAt: new Date(at) }))
        ? { answer: null }
        : null;
    }),
  );

  async function read(ownerId: string, id: string): Promise<IntakeDocument | null> {
    const document = await intakes.read(id);
    return document?.owner === ownerId && document.revokedAt === null ? document : null;
  }

  async function create(intake: IntakeRecord, limit: number): Promise<boolean> {
    if (!(await rings.enter(intake.ownerId, intake.id, limit))) return false;
    await tokens.keep(intake.id, intake.tokens);
    if (await intakes.insert({ _id: intake.id, v: 1, ...intakeFields(intake) })) return true;
    throw new QinboxError('CONFLICT', 'This intake exists already.');
  }

  async function change(ownerId: string, id: string, rule: IntakeRule): Promise<IntakeRecord | null> {
    const done = await until(async () => {
      const document = await read(ownerId, id);
      if (document === null) return { answer: null };
      const before = toIntake(document);
      const after = rule(before);
      if (after === before) return { answer: { before, after } };
      await tokens.keep(id, after.tokens);
      return (await intakes.swap(document, intakeFields(after))) ? { answer: { before, after } } : null;
    });
    if (done === null) return null;
    const { before, after } = done;
    await tokens.drop(before.tokens.filter(({ hash }) => after.tokens.every((kept) => kept.hash !== hash)));
    if (after.revokedAt !== null) await rings.leave(ownerId, id);
    return after;
  }

  /** Deliveries kept since the last trim, by intake. */
  const untrimmed = new Map<string, number>();

  /** Counts what was kept; names the intakes that may have too many. */
  function dueForTrim(kept: readonly DeliveryRecord[]): string[] {
    if (untrimmed.size >= MAX_COUNTED) untrimmed.clear();
    for (const { intakeId } of kept) untrimmed.set(intakeId, (untrimmed.get(intakeId) ?? 0) + 1);
    const due = [...new Set(kept.map(({ intakeId }) => intakeId))];
    return due.filter((intakeId) => (untrimmed.get(intakeId) ?? 0) >= TRIM_EVERY);
  }

  /** Removes all but the latest deliveries of the intake. */
  async function trim(intake: string): Promise<void> {
    untrimmed.delete(intake);
    const surplus = await deliveries.find(
      { intake },
      { sort: { _id: -1 }, skip: MAX_DELIVERIES, fields: ['_id'], index: 'latest' },
    );
    if (surplus.length > 0)
      await deliveries.removeAll(
        surplus.map(({ _id }) => _id),
        {},
      );
  }

  return {
    flush: () => calls.run(() => uses.flush()),

    create: (intake, limit) => calls.run(() => create(intake, limit)),
    get: (ownerId, id) =>
      calls.run(async () => {
        const document = await read(ownerId, id);
        return document === null ? null : toIntake(document);
      }),
    list: (ownerId) =>
      calls.run(async () => {
        const found = await intakes.find(
          { owner: ownerId, revokedAt: null },
          { sort: { _id: -1 }, index: 'active' },
        );
        return found.map(toIntake);
      }),
    change: (ownerId, id, rule) => calls.run(() => change(ownerId, id, rule)),
    findByTokenHash: (hash, now) =>
      calls.run(async () => {
        const id = await tokens.find(hash);
        const document = id === null ? null : await intakes.read(id);
        if (document === null || document.revokedAt !== null) return null;
        const intake = toIntake(document);
        return isTokenGood(intake.tokens, hash, now) ? intake : null;
      }),
    touch(id, at) {
      uses.note(id, at);
      return Promise.resolve();
    },

    addDeliveries: (records) =>
      calls.run(async () => {
        await deliveries.putAll(records.map(deliveryDocument));
        for (const intakeId of dueForTrim(records)) await trim(intakeId);
      }),
    listDeliveries: (ownerId, intakeId, limit) =>
      calls.run(async () => {
        const found = await deliveries.find(
          { intake: intakeId, owner: ownerId },
          { sort: { _id: -1 }, limit: Math.min(limit, MAX_DELIVERIES), index: 'latest' },
        );
        return found.map(toDelivery);
      }),
    getDelivery: (ownerId, intakeId, id) =>
      calls.run(async () => {
        const document = await deliveries.read(id);
        if (document === null || document.owner !== ownerId || document.intake !== intakeId) return null;
        return toDelivery(document);
      }),
    changeDelivery: (id, changes) =>
      calls.run(() =>
        until(async () => {
          const document = await deliveries.read(id);
          if (document === null) return { answer: undefined };
          const { verdict, reason, taskIds } = { ...toDelivery(document), ...changes };
          const after = { ...document, verdict, reason, taskIds: [...taskIds] };
          return (await deliveries.swap(document, after)) ? { answer: undefined } : null;
        }),
      ),
    purge: (now) =>
      calls.run(async () => {
        while ((await purge(deliveries, {}, now, PURGE_BATCH)) === PURGE_BATCH);
        while ((await purge(intakes, {}, now, PURGE_BATCH)) === PURGE_BATCH);
        await tokens.purge(now, PURGE_BATCH);
      }),
  };
}
