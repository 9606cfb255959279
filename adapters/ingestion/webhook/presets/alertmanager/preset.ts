// Prometheus Alertmanager. https://prometheus.io/docs/alerting/latest/configuration/#webhook_config
import { readAlerts } from '../alerts.ts';
import type { Preset } from '../preset.ts';
import sample from './sample.json' with { type: 'json' };

export const alertmanager: Preset = {
  id: 'alertmanager',
  title: 'Alertmanager',
  description: 'One task per alert; what fires again is counted on it, what is resolved is acknowledged.',
  scheme: 'bearer',
  setup:
    'Add a receiver with webhook_configs to alertmanager.yml: the address as url, send_resolved: true, and the secret under ' +
    'http_config.authorization.credentials.',
  events: ['firing', 'resolved'],
  read: ({ value }) => readAlerts(value, 'alertmanager'),
  sample,
};
