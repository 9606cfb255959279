// Stripe's events about single payments: failed, disputed, refunded, checked out, paid out.
import { entry, line, moment, raw } from '../read.ts';
import { ignored, key, USUAL } from '../result.ts';
import { around, spoken } from '../text.ts';
import { amount, customer, idOf, payment, taskFor, type EventReader } from './fields.ts';

const paymentFailed: EventReader = (event) => {
  const why = line(
    event.about,
    ['last_payment_error.message', 'failure_message', 'outcome.seller_message'],
    160,
  );
  const code = line(event.about, [
    'last_payment_error.decline_code',
    'last_payment_error.code',
    'failure_code',
  ]);
  const plain = why || spoken(code);
  return taskFor(
    event,
    `Payment of ${amount(event.about, 'amount') || 'an unknown amount'}${around(' by ', customer(event.about))} failed${around(': ', plain)}`,
    {
      kind: 'payments',
      key: payment(event.about),
      note: around('For ', line(event.about, 'description', 160)),
    },
  );
};

const disputed: EventReader = (event) => {
  const due = moment(event.about, 'evidence_details.due_by');
  const warning = raw(event.about, 'status').startsWith('warning_');
  return taskFor(
    event,
    `${warning ? 'A bank asks about a payment' : 'A payment is disputed'}: ${amount(event.about, 'amount')}${around(' (', spoken(line(event.about, 'reason')), ')')}`,
    {
      priority: 'high',
      kind: 'disputes',
      key: ['dispute', raw(event.about, 'id')],
      note: around('Answer by ', due, '.'),
    },
  );
};

const disputeClosed: EventReader = (event) => {
  const status = raw(event.about, 'status');
  const end =
    entry({ won: 'was won', lost: 'was lost', warning_closed: 'ended without a claim' }, status) ??
    'is closed';
  return taskFor(event, `The dispute about ${amount(event.about, 'amount')} ${end}`, {
    priority: status === 'lost' ? USUAL : 'low',
    kind: 'disputes',
    key: ['dispute', raw(event.about, 'id'), 'closed'],
    resolves: [key('stripe', 'dispute', raw(event.about, 'id'))],
  });
};

const checkout: EventReader = (event) => {
  const paid = raw(event.about, 'payment_status') !== 'unpaid';
  const failed = event.type.endsWith('.async_payment_failed');
  const ours = ['checkout', raw(event.about, 'id')];
  const intent = idOf(event.about, 'payment_intent');
  const page = intent === '' ? { kind: 'search' } : { kind: 'payments', id: intent };
  const whose = customer(event.about) || 'A customer';
  if (event.type.endsWith('.expired')) return ignored(event.type, 'A checkout was not completed in time.');
  const total = amount(event.about, 'amount_total') || 'an order';
  if (failed)
    return taskFor(event, `${whose} checked out, and the payment of ${total} failed`, {
      priority: 'high',
      ...page,
      key: [...ours, 'failed'],
    });
  return taskFor(event, `${whose} ${paid ? 'paid' : 'ordered, and has yet to pay,'} ${total}`, {
    priority: 'low',
    ...page,
    key: ours,
  });
};

const payout: EventReader = (event) => {
  const what = `payout of ${amount(event.about, 'amount')}`;
  const ours = ['payout', raw(event.about, 'id')];
  if (event.type === 'payout.failed')
    return taskFor(
      event,
      `The ${what} failed${around(': ', line(event.about, ['failure_message', 'failure_code'], 160))}`,
      { priority: 'high', kind: 'payouts', key: [...ours, 'failed'] },
    );
  if (event.type === 'payout.paid')
    return taskFor(event, `A ${what} arrived`, { priority: 'low', kind: 'payouts', key: [...ours, 'paid'] });
  return ignored(event.type, `A ${what} is ${spoken(line(event.about, 'status')) || 'under way'}.`);
};

const refunded: EventReader = (event) =>
  taskFor(
    event,
    `${amount(event.about, 'amount_refunded', 'amount')} was refunded${around(' to ', customer(event.about))}${around(' (', spoken(line(event.about, ['refunds.data.0.reason', 'reason'])), ')')}`,
    {
      priority: 'low',
      kind: 'payments',
      key: [...payment(event.about), 'refunded'],
    },
  );

const fraudWarning: EventReader = (event) =>
  taskFor(
    event,
    `A card network warns of fraud${around(' (', spoken(line(event.about, 'fraud_type')), ')')}; refund the payment, or it may be disputed`,
    {
      priority: 'high',
      kind: 'payments',
      id: idOf(event.about, 'payment_intent') || idOf(event.about, 'charge'),
      key: ['fraud', raw(event.about, 'id')],
    },
  );

export { checkout, disputeClosed, disputed, fraudWarning, paymentFailed, payout, refunded };
