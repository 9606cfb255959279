// Which intake has a token: one document for each, whose `_id` is the token's hash, so that two intakes can never have it and it is
// found at once. It only points: a token is good when the intake itself lists it. It is stored before the intake that lists it and
// removed after, so a cut in between leaves one that points nowhere, which is taken over or removed in time.
import { QinboxError } from '#core/errors.ts';
import type { Clock } from '#core/ports/clock.ts';
import type { IntakeToken } from '#core/domain/intake.ts';
import { allEnded, until, type Documents, type Kept, type Table } from './documents.ts';
import { toIntake, type IntakeDocument } from './intake-documents.ts';

interface TokenDocument extends Kept {
  intake: string;
  /** When to look whether the intake still lists it. */
  checkAt: Date;
}

/** How long a token may wait for its intake to be stored, and how often it is looked at after that. */
const CHECK_MS = 24 * 60 * 60_000;

export interface IntakeTokens {
  /** The id of the intake that the token with this hash points to. */
  find(hash: string): Promise<string | null>;
  /** Lets the tokens point to the intake that is about to be stored with them. Throws CONFLICT when another lists one. */
  keep(intakeId: string, tokens: readonly IntakeToken[]): Promise<void>;
  /** Removes tokens that their intake lists no more. */
  drop(tokens: readonly IntakeToken[]): Promise<void>;
  /** Removes tokens that no intake lists; looks at `limit` of them at most. How many it looked at. */
  purge(now: number, limit: number): Promise<number>;
}

export function createIntakeTokens(
  documents: Documents,
  intakes: Table<IntakeDocument>,
  clock: Clock,
): IntakeTokens {
  const table = documents.table<TokenDocument>('intake_tokens');
  const fields = (intake: string, now: number) => ({ intake, checkAt: new Date(now + CHECK_MS) });

  async function isListed({ _id, intake }: TokenDocument): Promise<boolean> {
    const document = await intakes.read(intake);
    return document !== null && toIntake(document).tokens.some(({ hash }) => hash === _id);
  }

  function keepOne(intakeId: string, hash: string): Promise<null> {
    return until(async () => {
      const before = await table.read(hash);
      const wanted = fields(intakeId, clock.now());
      if (before === null)
        return (await table.insert({ _id: hash, v: 1, ...wanted })) ? { answer: null } : null;
      if (before.intake === intakeId) return { answer: null };
      if (await isListed(before)) throw new QinboxError('CONFLICT', 'Another intake has this token.');
      return (await table.swap(before, wanted)) ? { answer: null } : null;
    });
  }

  return {
    async find(hash) {
      return (await table.read(hash))?.intake ?? null;
    },
    async keep(intakeId, tokens) {
      await allEnded(tokens.map(({ hash }) => keepOne(intakeId, hash)));
    },
    async drop(tokens) {
      await allEnded(tokens.map(({ hash }) => table.take(hash)));
    },
    async purge(now, limit) {
      const due = await table.find({ checkAt: { $lte: new Date(now) } }, { sort: { checkAt: 1 }, limit });
      for (const token of due)
        await table.swap(token, (await isListed(token)) ? fields(token.intake, now) : null);
      return due.length;
    },
  };
}
