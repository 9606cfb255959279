// What Stripe's events have in common: whose money, how much, where in the dashboard, keys of payments.
import type { Priority } from '#core/contract/index.ts';
import type { ParsedDelivery } from '#core/domain/delivery.ts';
import { field, line, raw } from '../read.ts';
import { key, says } from '../result.ts';
import { lines, money } from '../text.ts';

/** One event: its type and the thing it is about. */
export interface Event {
  type: string;
  about: unknown;
  body: unknown;
}

/** Reads one event. */
export type EventReader = (event: Event) => ParsedDelivery;

/** The page of the dashboard for the thing. */
function page(event: Event, kind: string, id: string): string {
  const account = raw(event.body, 'account');
  const mode = field(event.body, 'livemode') === false ? 'test/' : '';
  const known = /^\w{1,255}$/.test(id);
  const place = !known ? 'events' : kind === 'search' ? `search?query=${id}` : `${kind}/${id}`;
  return `https://dashboard.stripe.com/${/^acct_\w{1,64}$/.test(account) ? `${account}/` : ''}${mode}${place}`;
}

/** The first amount there is, as people write it. */
export function amount(about: unknown, ...paths: string[]): string {
  const path = paths.find((one) => typeof field(about, one) === 'number');
  return path === undefined ? '' : money(field(about, path), field(about, 'currency'));
}

/** The id of a thing that may be there whole. */
export function idOf(about: unknown, path: string): string {
  return raw(about, path) || raw(about, `${path}.id`);
}

/** Whose money it is, as far as it is said. */
export function customer(about: unknown): string {
  const paths = [
    'customer_name',
    'customer_details.name',
    'billing_details.name',
    'customer_email',
    'customer_details.email',
    'billing_details.email',
    'receipt_email',
    'customer.name',
    'customer.email',
    'last_payment_error.payment_method.billing_details.name',
    'last_payment_error.payment_method.billing_details.email',
    'shipping.name',
  ];
  return line(about, paths, 80);
}

/** The same, or the id of the customer. */
export function whoseOf(about: unknown): string {
  return customer(about) || line(about, ['customer', 'customer.id'], 80);
}

/** A task about the thing; `kind` is its place in the dashboard. */
export function taskFor(
  event: Event,
  content: string,
  more: {
    priority?: Priority | undefined;
    /** Where the dashboard has it; `search` finds any id. */
    kind: string;
    /** Of the page, when it is not the thing's own. */
    id?: string;
    key: readonly string[];
    resolves?: readonly string[];
    note?: string;
  },
): ParsedDelivery {
  const test = field(event.body, 'livemode') === false;
  return says(
    event.type,
    {
      content: lines(content, more.note ?? ''),
      priority: more.priority,
      tags: ['stripe', ...(test ? ['test mode'] : [])],
      url: page(event, more.kind, more.id ?? raw(event.about, 'id')),
      dedupeKey: key('stripe', ...more.key),
      metadata: {
        id: raw(event.about, 'id'),
        amount: amount(event.about, 'amount_due', 'amount_total', 'amount', 'total'),
        customer: whoseOf(event.about),
        status: raw(event.about, 'status'),
      },
    },
    more.resolves ?? [],
  );
}

/** A payment intent and its charges share the key of the payment. */
export function payment(about: unknown): readonly string[] {
  return ['payment', idOf(about, 'payment_intent') || raw(about, 'id')];
}
