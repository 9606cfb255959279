// Finds a user by an e-mail address as somebody wrote it.
import type { UserRecord } from '../domain/account.ts';
import { storedForms } from '../domain/email.ts';
import type { AccountStore } from '../ports/account-store.ts';

/** The user with this address, or null. One whose address is stored in an older form is found as well. */
export async function findUser(
  store: Pick<AccountStore, 'findUserByEmail'>,
  email: string,
): Promise<UserRecord | null> {
  for (const form of storedForms(email)) {
    const user = await store.findUserByEmail(form);
    if (user !== null) return user;
  }
  return null;
}
