// Counts what becomes of the mails that are sent.
import type { Mailer } from '#core/ports/mailer.ts';
import type { Meter } from '#core/ports/meter.ts';

/** The same mailer, counted. */
export function withMailCount(mailer: Mailer | null, meter: Meter): Mailer | null {
  const count = meter.counter(
    'mail_out_total',
    'Mails handed to the relay, by what came of them.',
    'outcome',
  );
  if (mailer === null) return null;
  return {
    ...mailer,
    async send(mail) {
      const outcome = await mailer.send(mail);
      count(outcome.kind);
      return outcome;
    },
  };
}
