// Grafana Alerting, and the alerts that dashboards had before it.
// https://grafana.com/docs/grafana/latest/alerting/configure-notifications/manage-contact-points/integrations/webhook-notifier/
import { readAlerts } from '../alerts.ts';
import type { ParsedDelivery } from '#core/domain/delivery.ts';
import type { Preset } from '../preset.ts';
import { isObject, items, line, link, raw } from '../read.ts';
import { ignored, key, over, says, USUAL } from '../result.ts';
import { around, excerpt, lines, spoken } from '../text.ts';
import sample from './sample.json' with { type: 'json' };

/** One alert of a dashboard, before Grafana 9. */
function fromDashboard(body: unknown): ParsedDelivery | null {
  const state = raw(body, 'state');
  const name = line(body, ['ruleName', 'title'], 160);
  if (!isObject(body) || name === '' || state === '') return null;
  const ours = key(
    'grafana',
    'rule',
    raw(body, 'orgId'),
    raw(body, 'dashboardId'),
    raw(body, 'ruleId') || name,
  );
  if (state === 'ok') return over('resolved', ours);
  if (state !== 'alerting' && state !== 'no_data')
    return ignored(state, `The rule ${name} is ${spoken(state)}.`);
  const values = items(body, 'evalMatches')
    .slice(0, 5)
    .map((one) => `${line(one, 'metric', 60)} = ${line(one, 'value', 30)}`);
  return says('firing', {
    content: lines(
      `${name}${state === 'no_data' ? ': no data' : around(': ', excerpt(raw(body, 'message'), 240))}`,
      values.join(', '),
    ),
    priority: state === 'alerting' ? 'high' : USUAL,
    tags: ['grafana'],
    url: link(body, 'ruleUrl'),
    dedupeKey: ours,
  });
}

export const grafana: Preset = {
  id: 'grafana',
  title: 'Grafana',
  description: 'One task per alert; what fires again is counted on it, what is resolved is acknowledged.',
  scheme: 'grafana',
  setup:
    'Open Alerting → Contact points → Add contact point, choose Webhook and paste the address. Under “HMAC signature” paste the secret and set ' +
    'a timestamp header. Then choose the contact point in a notification policy.',
  events: ['firing', 'resolved'],
  read: ({ value }) => readAlerts(value, 'grafana') ?? fromDashboard(value),
  sample,
};
