// The port of intakes and their deliveries.
import { isTokenGood, type IntakeRecord } from '#core/domain/intake.ts';
import { QinboxError } from '#core/errors.ts';
import { createLastUses, type LastUses } from '#core/last-uses.ts';
import type { Clock } from '#core/ports/clock.ts';
import type { IntakeRule, IntakeStore } from '#core/ports/intake-store.ts';
import type { Database, VersionedCollection } from './collection.ts';
import { createDeliveries } from './deliveries.ts';
import { intakeFields, toIntake, type IntakeDocument } from './intake-documents.ts';
import { createIntakeTokens } from './intake-tokens.ts';
import { createMemberList, type MemberList } from './member-list.ts';
import { RETRY, retry } from './promises.ts';

const PURGE_BATCH = 500;

/** The intakes of each owner that are not revoked. */
export function createActiveIntakes(
  database: Database,
  intakes: VersionedCollection<IntakeDocument>,
  clock: Clock,
): MemberList {
  return createMemberList(database, 'intake_rings', clock, async (id) => {
    const intake = await intakes.read(id);
    return intake === null ? null : intake.revokedAt === null;
  });
}

export function createIntakeUses(database: Database): LastUses {
  const intakes = database.collection<IntakeDocument>('intakes');
  return createLastUses((uses) =>
    intakes.run((collection) =>
      collection.bulkWrite(
        uses.map(([_id, at]) => ({
          updateOne: { filter: { _id }, update: { $max: { lastUsedAt: new Date(at) }, $inc: { v: 1 } } },
        })),
      ),
    ),
  );
}

export function createMongoIntakeStore(database: Database, clock: Clock, uses: LastUses): IntakeStore {
  const intakes = database.collection<IntakeDocument>('intakes');
  const deliveries = database.collection('deliveries');
  const tokens = createIntakeTokens(database, intakes, clock);
  const activeIntakes = createActiveIntakes(database, intakes, clock);

  async function read(ownerId: string, id: string): Promise<IntakeDocument | null> {
    const found = await intakes.read(id);
    return found?.owner === ownerId && found.revokedAt === null ? found : null;
  }

  async function change(ownerId: string, id: string, rule: IntakeRule): Promise<IntakeRecord | null> {
    const done = await retry(async () => {
      const found = await read(ownerId, id);
      if (found === null) return null;
      const before = toIntake(found);
      const after = rule(before);
      if (after === before) return { before, after };
      await tokens.add(id, after.tokens);
      return (await intakes.replace(found, intakeFields(after))) ? { before, after } : RETRY;
    });
    if (done === null) return null;
    const { before, after } = done;
    const dropped = before.tokens.filter(({ hash }) => after.tokens.every((token) => token.hash !== hash));
    if (dropped.length > 0) await tokens.remove(dropped);
    if (after.revokedAt !== null) await activeIntakes.remove(ownerId, id);
    return after;
  }

  return {
    ...createDeliveries(database),

    async create(intake, limit) {
      if (!(await activeIntakes.add(intake.ownerId, intake.id, limit))) return false;
      await tokens.add(intake.id, intake.tokens);
      if (await intakes.insert({ _id: intake.id, v: 1, ...intakeFields(intake) })) return true;
      throw new QinboxError('CONFLICT', 'This intake exists already.');
    },
    async get(ownerId, id) {
      const found = await read(ownerId, id);
      return found === null ? null : toIntake(found);
    },
    async list(ownerId) {
      const query = { owner: ownerId, revokedAt: null };
      return (await intakes.find(query, { sort: { _id: -1 }, hint: 'active' })).map(toIntake);
    },
    change,
    async findByTokenHash(hash, now) {
      const id = await tokens.find(hash);
      const found = id === null ? null : await intakes.read(id);
      if (found === null || found.revokedAt !== null) return null;
      const intake = toIntake(found);
      return isTokenGood(intake.tokens, hash, now) ? intake : null;
    },
    touch(id, at) {
      uses.note(id, at);
      return Promise.resolve();
    },
    async purge(now) {
      const ended = { purgeAt: { $lte: new Date(now) } };
      await Promise.all([deliveries.removeMany(ended), intakes.removeMany(ended)]);
      await tokens.purge(now, PURGE_BATCH);
    },
  };
}
