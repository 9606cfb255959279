// Tokens of intakes: a document's `_id` is the token's hash, so that no two intakes have one token. A token
// is good when its intake lists it. It is stored before the intake and removed after it; a token that a cut
// in between left behind is taken over, or removed in time.
import { QinboxError } from '#core/errors.ts';
import type { Clock } from '#core/ports/clock.ts';
import type { IntakeToken } from '#core/domain/intake.ts';
import type { Database, Versioned, VersionedCollection } from './server/collection.ts';
import { toIntake, type IntakeDocument } from './intake-documents.ts';
import { RETRY, retry, waitForAll } from './promises.ts';

interface TokenDocument extends Versioned {
  intake: string;
  /** When to check whether the intake still lists it. */
  checkAt: Date;
}

/** How long a token may wait for its intake to be stored, and the time between checks. */
const CHECK_MS = 24 * 60 * 60_000;

export interface IntakeTokens {
  /** The id of the intake that the token with this hash points to. */
  find(hash: string): Promise<string | null>;
  /** Points the tokens to an intake that is stored next. Throws CONFLICT when another intake lists one. */
  add(intakeId: string, tokens: readonly IntakeToken[]): Promise<void>;
  /** Removes tokens that their intake lists no more. */
  remove(tokens: readonly IntakeToken[]): Promise<void>;
  /** Checks up to `limit` tokens and removes those that no intake lists; how many it checked. */
  purge(now: number, limit: number): Promise<number>;
}

export function createIntakeTokens(
  database: Database,
  intakes: VersionedCollection<IntakeDocument>,
  clock: Clock,
): IntakeTokens {
  const stored = database.collection<TokenDocument>('intake_tokens');
  const fields = (intake: string, now: number) => ({ intake, checkAt: new Date(now + CHECK_MS) });

  async function isListed({ _id, intake }: TokenDocument): Promise<boolean> {
    const document = await intakes.read(intake);
    return document !== null && toIntake(document).tokens.some(({ hash }) => hash === _id);
  }

  function addOne(intakeId: string, hash: string): Promise<void> {
    return retry(async () => {
      const before = await stored.read(hash);
      if (before?.intake === intakeId) return;
      const after = fields(intakeId, clock.now());
      if (before === null) return (await stored.insert({ _id: hash, v: 1, ...after })) ? undefined : RETRY;
      if (await isListed(before)) throw new QinboxError('CONFLICT', 'Another intake has this token.');
      return (await stored.replace(before, after)) ? undefined : RETRY;
    });
  }

  return {
    async find(hash) {
      return (await stored.read(hash))?.intake ?? null;
    },
    async add(intakeId, tokens) {
      await waitForAll(tokens.map(({ hash }) => addOne(intakeId, hash)));
    },
    async remove(tokens) {
      await stored.removeMany({ _id: { $in: tokens.map(({ hash }) => hash) } });
    },
    async purge(now, limit) {
      const due = await stored.find({ checkAt: { $lte: new Date(now) } }, { sort: { checkAt: 1 }, limit });
      if (due.length === 0) return 0;
      const ids = [...new Set(due.map(({ intake }) => intake))];
      const found = await intakes.find({ _id: { $in: ids } }, { projection: { record: 1 } });
      const listed = new Set(
        found.flatMap((intake) => toIntake(intake).tokens.map(({ hash }) => `${intake._id} ${hash}`)),
      );
      const checkAt = new Date(now + CHECK_MS);
      const writes = due.map(({ _id, v, intake }) =>
        listed.has(`${intake} ${_id}`)
          ? { updateOne: { filter: { _id, v }, update: { $set: { checkAt }, $inc: { v: 1 } } } }
          : { deleteOne: { filter: { _id, v } } },
      );
      await stored.run((collection) => collection.bulkWrite(writes as never, { ordered: false }));
      return due.length;
    },
  };
}
