// Prometheus Alertmanager. https://prometheus.io/docs/alerting/latest/configuration/#webhook_config
import { readAlerts } from '../alerts.ts';
import type { Preset } from '../read.ts';

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
  sample: {
    headers: { 'content-type': 'application/json', 'user-agent': 'Alertmanager/0.27.0' },
    body: {
      version: '4',
      groupKey: '{}:{alertname="PumpDown"}',
      truncatedAlerts: 0,
      status: 'firing',
      receiver: 'qinbox',
      groupLabels: { alertname: 'PumpDown' },
      commonLabels: { alertname: 'PumpDown', severity: 'critical' },
      commonAnnotations: {},
      externalURL: 'https://alertmanager.example.com',
      alerts: [
        {
          status: 'firing',
          labels: { alertname: 'PumpDown', instance: 'pump-3', severity: 'critical' },
          annotations: { summary: 'Pump 3 has not answered for 5 minutes' },
          startsAt: '2026-11-21T09:30:00.000Z',
          endsAt: '0001-01-01T00:00:00Z',
          generatorURL: 'https://prometheus.example.com/graph?g0.expr=up+%3D%3D+0',
          fingerprint: '8f2f6b1c7a3d9e05',
        },
      ],
    },
  },
};
