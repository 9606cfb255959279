// Stripe's events about subscriptions: begun, cancelled, late, ended.
import { field, line, moment, raw } from '../read.ts';
import { ignored, key, over } from '../result.ts';
import { joined } from '#core/text/parts.ts';
import { around, money, spoken } from '../text.ts';
import { taskFor, whoseOf, type EventReader } from './fields.ts';

function planOf(about: unknown): string {
  const item =
    field(about, 'items.data.0.price') ?? field(about, 'items.data.0.plan') ?? field(about, 'plan');
  const price = money(
    field(item, 'unit_amount') ?? field(item, 'amount'),
    field(item, 'currency') ?? field(about, 'currency'),
  );
  const every = line(item, ['recurring.interval', 'interval'], 20);
  const each = around(' a ', every);
  return joined(', ', [line(item, ['nickname', 'product.name'], 60), around('', price, each)]);
}

const subscription: EventReader = (event) => {
  const verb = event.type.slice('customer.subscription.'.length);
  const whose = whoseOf(event.about) || 'a customer';
  const ours = ['subscription', raw(event.about, 'id')];
  const plan = around(' (', planOf(event.about), ')');
  const reasons = ['cancellation_details.feedback', 'cancellation_details.reason'];
  const why = spoken(line(event.about, reasons, 120));
  const common = { kind: 'subscriptions', key: [...ours, verb] };
  if (verb === 'deleted')
    return taskFor(event, `The subscription of ${whose} ended${plan}${around(': ', why)}`, {
      ...common,
      note: line(event.about, 'cancellation_details.comment', 300),
      resolves: [key('stripe', ...ours, 'late'), key('stripe', ...ours, 'cancelled')],
    });
  if (verb === 'created') return taskFor(event, `${whose} subscribed${plan}`, { ...common, priority: 'low' });
  if (verb === 'trial_will_end')
    return taskFor(
      event,
      `The trial of ${whose} ends ${moment(event.about, 'trial_end') || 'soon'}${plan}`,
      common,
    );
  if (verb === 'paused' || verb === 'resumed')
    return taskFor(event, `The subscription of ${whose} was ${verb}${plan}`, common);
  const before = field(event.body, 'data.previous_attributes');
  if (field(before, 'cancel_at_period_end') === false && field(event.about, 'cancel_at_period_end') === true)
    return taskFor(
      event,
      `${whose} cancelled the subscription${plan}; it ends ${moment(event.about, 'cancel_at') || moment(event.about, 'current_period_end') || 'with the period'}`,
      { kind: 'subscriptions', key: [...ours, 'cancelled'], note: around('Because: ', why) },
    );
  const was = raw(before, 'status');
  const now = raw(event.about, 'status');
  if (was !== '' && was !== now) {
    const late = ['past_due', 'unpaid', 'incomplete_expired'].includes(now);
    const bad = key('stripe', ...ours, 'late');
    if (!late) return over(event.type, bad);
    return taskFor(event, `The subscription of ${whose} is ${spoken(now)}${plan}`, {
      priority: 'high',
      kind: 'subscriptions',
      key: [...ours, 'late'],
    });
  }
  return ignored(event.type, `The subscription of ${whose} was changed; nothing to do.`);
};

export { subscription };
