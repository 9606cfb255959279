// Stripe's events about invoices: what cannot be charged is a task until it is paid or voided.
import type { Priority } from '#core/contract/index.ts';
import { entry, line, moment, number, raw } from '../read.ts';
import { ignored, key, over } from '../result.ts';
import { joined } from '#core/text/parts.ts';
import { around, lines } from '../text.ts';
import { amount, idOf, taskFor, whoseOf, type EventReader } from './fields.ts';

const invoiceKey = (about: unknown): readonly string[] => ['invoice', raw(about, 'id')];

function invoiceName(about: unknown): string {
  const whose = whoseOf(about);
  return `Invoice ${line(about, ['number', 'id'], 60)}${around(' of ', whose)}`;
}

const invoiceFailed: EventReader = (event) => {
  const next = moment(event.about, 'next_payment_attempt');
  const tries = number(event.about, 'attempt_count') ?? 0;
  return taskFor(
    event,
    `${invoiceName(event.about)} could not be charged: ${amount(event.about, 'amount_due', 'amount_remaining', 'total')}`,
    {
      priority: 'high',
      kind: 'invoices',
      key: invoiceKey(event.about),
      note: lines(
        joined(' ', [
          tries > 1 ? `Tried ${tries} times.` : '',
          next === '' ? 'It will not be tried again by itself.' : `Next attempt ${next}.`,
        ]),
        line(event.about, 'last_finalization_error.message', 200),
      ),
    },
  );
};

const INVOICE_SAYS: Readonly<Record<string, { says: string; priority?: Priority; open?: boolean }>> = {
  'invoice.payment_action_required': {
    says: 'waits for the customer to confirm the payment',
    open: true,
  },
  'invoice.overdue': { says: 'is overdue', priority: 'high', open: true },
  'invoice.finalization_failed': { says: 'could not be finalised', priority: 'high', open: true },
  'invoice.marked_uncollectible': { says: 'was given up as uncollectible', priority: 'high', open: true },
  'invoice.will_be_due': { says: 'is due soon', priority: 'low' },
  'invoice.upcoming': { says: 'is coming up', priority: 'low' },
  'invoice.created': { says: 'was drafted', priority: 'low' },
  'invoice.finalized': { says: 'was finalised', priority: 'low' },
  'invoice.sent': { says: 'was sent', priority: 'low' },
};

const invoice: EventReader = (event) => {
  const known = entry(INVOICE_SAYS, event.type);
  if (known === undefined)
    return ignored(event.type, `${invoiceName(event.about)} was changed; nothing to do.`);
  const name =
    raw(event.about, 'id') === ''
      ? `The next invoice of ${whoseOf(event.about) || 'a customer'}`
      : invoiceName(event.about);
  return taskFor(event, `${name} ${known.says}${around(': ', amount(event.about, 'amount_due', 'total'))}`, {
    priority: known.priority,
    kind: 'invoices',
    key:
      known.open === true
        ? invoiceKey(event.about)
        : [
            ...invoiceKey(event.about),
            event.type,
            idOf(event.about, 'customer'),
            idOf(event.about, 'subscription'),
          ],
    note: known.open === true ? line(event.about, 'last_finalization_error.message', 200) : '',
  });
};

const invoicePaid: EventReader = (event) =>
  taskFor(event, `${invoiceName(event.about)} was paid: ${amount(event.about, 'amount_paid', 'total')}`, {
    priority: 'low',
    kind: 'invoices',
    key: [...invoiceKey(event.about), 'paid'],
    resolves: [key('stripe', ...invoiceKey(event.about))],
  });

const invoiceVoided: EventReader = (event) => over(event.type, key('stripe', ...invoiceKey(event.about)));

export { invoice, invoiceFailed, invoicePaid, invoiceVoided };
