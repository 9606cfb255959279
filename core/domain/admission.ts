// Who may come in. Pure rules: whom the operator lets in by name, and which accounts may be used.
import { isBeingDeleted, isProven, type UserRecord } from './account.ts';

/** What the operator has said of who may come in. */
export interface Admission {
  /** Whether people may sign up and in with e-mail and password. */
  readonly emailSignIn: boolean;
  /** Addresses that may have an account, each in its form. */
  readonly allowedEmails: readonly string[];
  /** Domains whose addresses may have one, in their ASCII form; `*` for all. */
  readonly allowedDomains: readonly string[];
}

/** Whether the operator has said who may come in at all. */
export function namesSomebody({ allowedEmails, allowedDomains }: Admission): boolean {
  return allowedEmails.length + allowedDomains.length > 0;
}

/** Whether the operator's lists let an address in. A domain stands for itself, not for those below it. */
export function isListed({ allowedEmails, allowedDomains }: Admission, email: string): boolean {
  const domain = email.slice(email.lastIndexOf('@') + 1);
  return allowedDomains.includes('*') || allowedDomains.includes(domain) || allowedEmails.includes(email);
}

/**
 * Whether an account may be used now: neither disabled nor being deleted, and proven unless people may sign
 * up.
 */
export function mayUse({ emailSignIn }: Admission, user: UserRecord): boolean {
  return user.isActive && !isBeingDeleted(user) && (emailSignIn || isProven(user));
}
