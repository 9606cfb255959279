// Users, and which of them has an e-mail address: one document for each address, whose `_id` is the address, so that two
// users can never have it. It is made first and carries the user who is about to be made: a cut in between is mended by
// whoever comes with the address next.
import type { UserRecord } from '#core/domain/account.ts';
import { QinboxError } from '#core/errors.ts';
import type { AccountStore } from '#core/ports/account-store.ts';
import type { Clock } from '#core/ports/clock.ts';
import { toUser, userFields, type UserDocument } from './account-documents.ts';
import { until, type Documents, type Kept } from './documents.ts';

interface EmailDocument extends Kept {
  user: string;
  /** The user to make, or null when the address was claimed for one that existed. */
  making: UserDocument | null;
  at: Date;
}

/** How long an address that a user is about to take is kept for that user. */
const TAKING_MS = 60_000;

export type Users = Pick<
  AccountStore,
  'ensureUser' | 'getUser' | 'findUserByEmail' | 'listUsers' | 'changeUser'
>;

export function createUsers(documents: Documents, clock: Clock): Users {
  const users = documents.table<UserDocument>('users');
  const emails = documents.table<EmailDocument>('emails');

  async function getUser(id: string): Promise<UserRecord | null> {
    const document = await users.read(id);
    return document === null ? null : toUser(document);
  }

  /** The user who has the address, made now if that was cut off. Null when the address is to be had. */
  async function ownerOf(claim: EmailDocument): Promise<UserRecord | null> {
    if (claim.making !== null) await users.insert(claim.making);
    const user = await getUser(claim.user);
    return user?.email === claim._id ? user : null;
  }

  /**
   * Whether somebody else may have the address: the one who claimed it does not have it, and had the time to take it. One that was
   * claimed in the future was claimed while the clock was ahead.
   */
  const isStale = (claim: EmailDocument) => Math.abs(clock.now() - claim.at.getTime()) >= TAKING_MS;

  /** Claims an address for a user who exists. */
  async function claimEmail(email: string, user: string): Promise<void> {
    const claim = { user, making: null, at: new Date(clock.now()) };
    const conflict = () => new QinboxError('CONFLICT', 'This e-mail address is in use.');
    await until(async () => {
      const before = await emails.read(email);
      if (before === null)
        return (await emails.insert({ _id: email, v: 1, ...claim })) ? { answer: null } : null;
      if (before.user !== user && ((await ownerOf(before)) !== null || !isStale(before))) throw conflict();
      return (await emails.swap(before, claim)) ? { answer: null } : null;
    });
  }

  async function releaseEmail(email: string, user: string): Promise<void> {
    const claim = await emails.read(email);
    if (claim?.user === user) await emails.swap(claim, null);
  }

  return {
    ensureUser: (record) =>
      until<{ user: UserRecord; created: boolean }>(async () => {
        const making = { _id: record.id, v: 1, ...userFields(record) };
        const claim = { user: record.id, making, at: new Date(clock.now()) };
        const before = await emails.read(record.email);
        if (before === null) {
          if (!(await emails.insert({ _id: record.email, v: 1, ...claim }))) return null;
        } else {
          const user = await ownerOf(before);
          if (user !== null) return { answer: { user, created: false } };
          if (!isStale(before))
            throw new QinboxError('CONFLICT', 'This e-mail address is about to be taken.');
          if (!(await emails.swap(before, claim))) return null;
        }
        if (await users.insert(making)) return { answer: { user: record, created: true } };
        // Made in our stead just now; or the id is another user's.
        const user = await getUser(record.id);
        if (user?.email !== record.email) throw new QinboxError('CONFLICT', 'This user id is in use.');
        return { answer: { user, created: true } };
      }),
    getUser,
    async findUserByEmail(email) {
      const claim = await emails.read(email);
      const user = claim === null ? null : await getUser(claim.user);
      return user?.email === email ? user : null;
    },
    async listUsers() {
      const found = await users.find({}, { sort: { createdAt: 1, _id: 1 }, index: 'oldest' });
      return found.map(toUser);
    },
    changeUser: (id, rule) =>
      until(async () => {
        const document = await users.read(id);
        if (document === null) return { answer: null };
        const before = toUser(document);
        const after = rule(before);
        if (after === before) return { answer: after };
        const moves = after.email !== before.email;
        if (moves) await claimEmail(after.email, id);
        if (!(await users.swap(document, userFields(after)))) return null;
        if (moves) await releaseEmail(before.email, id);
        return { answer: after };
      }),
  };
}
