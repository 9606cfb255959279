import { expect, test } from 'vitest';
import { hueOf, monogramOf } from './monogram.ts';

test.each([
  ['GitHub', 'GH'],
  ['Uptime Kuma', 'UK'],
  ['Stripe', 'St'],
  ['healthchecks.io', 'HI'],
  ['Proxmox VE', 'PV'],
  ['Home Assistant (webhook)', 'HA'],
  ['cron', 'Cr'],
  ['', '?'],
])('%s is marked %s', (title, letters) => expect(monogramOf(title)).toBe(letters));

test('a name has always the same hue, of the whole circle', () => {
  const hues = ['GitHub', 'GitLab', 'Stripe', 'Sentry', 'Grafana', 'Alertmanager'].map(hueOf);
  expect(hues).toEqual(['GitHub', 'GitLab', 'Stripe', 'Sentry', 'Grafana', 'Alertmanager'].map(hueOf));
  for (const hue of hues) expect(hue >= 0 && hue < 360).toBe(true);
  expect(new Set(hues).size).toBeGreaterThan(3);
});
