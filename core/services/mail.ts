// Mail to people: whom it may go to, and what came of it.
import { isProven } from '../domain/account.ts';
import type { Clock } from '../ports/clock.ts';
import type { Mailer, OutgoingMail } from '../ports/mailer.ts';
import type { RateLimiter, RateWindow } from '../ports/rate-limiter.ts';
import type { Accounts } from './accounts.ts';
import type { StepAnswer } from './work/steps.ts';

/** Never rejects for what the relay does. */
export type SendMail = (ownerId: string, mail: OutgoingMail) => Promise<StepAnswer>;

interface Parts {
  /** Null when the operator names no relay. */
  mailer: Mailer | null;
  accounts: Pick<Accounts, 'find'>;
  limiter: RateLimiter;
  /** Mails that one owner may have sent in an hour; more wait. */
  perHour: number;
  clock: Clock;
}

export type Mail = ReturnType<typeof createMail>;

export function createMail({ mailer, accounts, limiter, perHour, clock }: Parts) {
  const hour: RateWindow = { name: 'hour', limit: perHour, seconds: 3600 };

  /** Why an address may not be mailed, as what follows the field's name; null when it may. */
  async function refusal(address: string): Promise<string | null> {
    if (mailer === null)
      return 'cannot be mailed: this server sends no mail (the operator names a relay with MAIL_RELAY_URL)';
    if (mailer.mayMail(address)) return null;
    const user = await accounts.find(address);
    if (user !== null && isProven(user)) return null;
    return 'must be the address of a user of this server (the operator may allow others with MAIL_TO)';
  }

  const send: SendMail = async (ownerId, mail) => {
    const reason = await refusal(mail.to);
    if (mailer === null || reason !== null) return { kind: 'failed', detail: `${mail.to} ${reason ?? ''}.` };
    const { allowed, states } = await limiter.take(`mail out:${ownerId}`, [hour]);
    if (!allowed)
      return {
        kind: 'wait',
        until: clock.now() + (states[0]?.resetMs ?? 0) + 1,
        detail: `There were ${perHour} mails in an hour.`,
      };
    const outcome = await mailer.send(mail);
    switch (outcome.kind) {
      case 'sent':
        return { kind: 'done', detail: `The relay took the mail to ${mail.to}.` };
      case 'refused':
        return { kind: 'failed', detail: `The relay refused it: ${outcome.reason}` };
      case 'later':
        return { kind: 'retry', detail: `The relay did not take it yet: ${outcome.reason}`, notBefore: null };
    }
  };

  return { isSent: mailer !== null, refusal, send };
}
