// Stripe: what happens to money. https://docs.stripe.com/api/events/types
import type { Preset } from '../preset.ts';
import { entry, field, isObject, line, raw } from '../read.ts';
import { ignored, key, over, USUAL } from '../result.ts';
import { joined } from '#core/text/parts.ts';
import { around, spoken } from '../text.ts';
import { invoice, invoiceFailed, invoicePaid, invoiceVoided } from './invoices.ts';
import { amount, customer, payment, taskFor, type EventReader } from './fields.ts';
import {
  checkout,
  disputeClosed,
  disputed,
  fraudWarning,
  paymentFailed,
  payout,
  refunded,
} from './payments.ts';
import { subscription } from './subscriptions.ts';
import sample from './sample.json' with { type: 'json' };

/** Any other: `Stripe: customer created (jenny@example.com, €49.00)`. */
const anyOther: EventReader = (event) => {
  const facts = [
    line(event.about, ['name', 'email', 'description', 'number', 'nickname'], 80) || customer(event.about),
    amount(event.about, 'amount', 'amount_total', 'total', 'amount_due'),
  ];
  const urgent = /(failed|failure|fraud|action_required|past_due)/.test(event.type);
  return taskFor(event, `Stripe: ${spoken(event.type)}${around(' (', joined(', ', facts), ')')}`, {
    priority: urgent ? USUAL : 'low',
    kind: raw(event.about, 'object') === 'customer' ? 'customers' : 'search',
    key: [event.type, raw(event.about, 'id')],
  });
};

const READERS: Readonly<Record<string, EventReader>> = {
  'payment_intent.payment_failed': paymentFailed,
  'charge.failed': paymentFailed,
  'payment_intent.succeeded': (event) => over(event.type, key('stripe', ...payment(event.about))),
  'payment_intent.canceled': (event) => over(event.type, key('stripe', ...payment(event.about))),
  'charge.succeeded': (event) => over(event.type, key('stripe', ...payment(event.about))),
  'invoice.payment_failed': invoiceFailed,
  'invoice.paid': invoicePaid,
  'invoice.payment_succeeded': invoicePaid,
  'invoice.voided': invoiceVoided,
  'invoice.deleted': invoiceVoided,
  'charge.dispute.created': disputed,
  'charge.dispute.closed': disputeClosed,
  'charge.dispute.updated': (event) => ignored(event.type, 'A dispute was changed.'),
  'charge.refunded': refunded,
  'radar.early_fraud_warning.created': fraudWarning,
};

function readerOf(type: string): EventReader {
  const known = entry(READERS, type);
  if (known !== undefined) return known;
  if (type.startsWith('invoice.')) return invoice;
  if (type.startsWith('customer.subscription.')) return subscription;
  if (type.startsWith('checkout.session.')) return checkout;
  return /^payout\.\w+$/.test(type) ? payout : anyOther;
}

export const stripe: Preset = {
  id: 'stripe',
  title: 'Stripe',
  description:
    'Failed payments, disputes, invoices, subscriptions that end, checkouts and payouts, with amounts as people write them.',
  scheme: 'stripe',
  setup:
    'In the dashboard open Developers → Webhooks → Add destination. Pick the events you want to hear of, paste the address, and copy the ' +
    'signing secret (whsec_…) here.',
  events: Object.keys(READERS).concat(
    'invoice.overdue',
    'invoice.payment_action_required',
    'customer.subscription.created',
    'customer.subscription.deleted',
    'customer.subscription.updated',
    'customer.subscription.trial_will_end',
    'checkout.session.completed',
    'payout.failed',
    'payout.paid',
  ),
  read({ value }) {
    const type = raw(value, 'type');
    if (!isObject(value) || raw(value, 'object') !== 'event' || !/^[\w.]{1,100}$/.test(type)) return null;
    return readerOf(type)({ type, about: field(value, 'data.object'), body: value });
  },
  sample,
};
