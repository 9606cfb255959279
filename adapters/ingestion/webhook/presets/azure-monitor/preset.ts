// Alerts of Azure Monitor in the common alert schema: an alert is one task until it is resolved.
// https://learn.microsoft.com/azure/azure-monitor/alerts/alerts-common-schema
import { joined } from '#core/text/parts.ts';
import type { Preset } from '../preset.ts';
import { field, isObject, items, line, link, moment, raw } from '../read.ts';
import { key, over, says, severityPriority, USUAL } from '../result.ts';
import { around, excerpt, lines, spoken } from '../text.ts';
import sample from './sample.json' with { type: 'json' };

const PORTAL = 'https://portal.azure.com/#blade/Microsoft_Azure_Monitoring';
const SCHEMA = 'azureMonitorCommonAlertSchema';

/** An alert has an id; what Azure says of its own health has one for all of its messages. */
function keyOf(essentials: unknown, context: unknown): string {
  const id =
    raw(context, 'properties.trackingId') ||
    raw(essentials, 'alertId') ||
    raw(essentials, 'originAlertId') ||
    joined(' ', [raw(essentials, 'alertRule'), raw(essentials, 'alertTargetIDs.0')]);
  return key('azure-monitor', id.toLowerCase());
}

/** Azure's messages about its own health are never resolved as alerts: their last one says so. */
function isOver(essentials: unknown, context: unknown): boolean {
  if (raw(essentials, 'monitorCondition').toLowerCase() === 'resolved') return true;
  if (raw(context, 'properties.trackingId') === '') return false;
  return [raw(context, 'status'), raw(context, 'properties.stage')].some((word) =>
    /^(?:resolved|complete)$/i.test(word),
  );
}

/** `Percentage CPU is 31.1 (greater than 25)`. */
function measured(context: unknown): string {
  const condition = items(context, 'condition.allOf')[0];
  const name = line(condition, ['metricName', 'metricMeasureColumn'], 120);
  const value = line(condition, 'metricValue', 40);
  const threshold = line(condition, 'threshold', 40);
  if (value === '') return '';
  const operator = spoken(line(condition, 'operator', 40).replace(/([a-z])([A-Z])/g, '$1 $2')).toLowerCase();
  return `${name || 'The value'} is ${value}${threshold === '' ? '' : ` (${joined(' ', [operator, threshold])})`}`;
}

/** The page of the alert; where the clouds of China and of the US government have it is not known. */
function pageOf(essentials: unknown, context: unknown): string {
  const given =
    link(essentials, 'investigationLink') ||
    link(items(context, 'condition.allOf')[0], 'linkToFilteredSearchResultsUI', 'linkToSearchResultsUI') ||
    link(context, 'LinkToFilteredSearchResultsUI', 'LinkToSearchResults');
  const id = raw(essentials, 'alertId');
  if (given !== '' || !/^\/subscriptions\/[\w.\-/]{1,300}$/.test(id)) return given;
  return `${PORTAL}/AlertDetailsTemplateBlade/alertId/${encodeURIComponent(id)}`;
}

/** The resource: its name, else the last part of its id; none for a subscription, whose id says nothing. */
function targetOf(essentials: unknown): string {
  const id = line(essentials, 'alertTargetIDs.0', 400);
  if (/^\/subscriptions\/[^/]*$/i.test(id)) return '';
  return line(essentials, 'configurationItems.0', 120) || id.replace(/^.*\//, '');
}

export const azureMonitor: Preset = {
  id: 'azure-monitor',
  title: 'Azure Monitor',
  description:
    'A task for each alert in the common alert schema; it is acknowledged when the alert is resolved.',
  scheme: 'none',
  setup:
    'In an action group add an action of the type “Webhook”, paste the address, and switch “Enable the common alert schema” on.',
  events: ['alert.Fired', 'alert.Resolved'],
  read({ value }) {
    const essentials = field(value, 'data.essentials');
    if (!isObject(essentials) || raw(value, 'schemaId') !== SCHEMA) return null;
    const context = field(value, 'data.alertContext');
    const event = `alert${around('.', line(essentials, 'monitorCondition', 40))}`;
    const ours = keyOf(essentials, context);
    if (isOver(essentials, context)) return over(event, ours);
    const severity = line(essentials, 'severity', 40);
    const target = targetOf(essentials);
    const rule = line(context, 'properties.title', 200) || line(essentials, 'alertRule', 200) || 'An alert';
    const at = target === '' || rule.toLowerCase().includes(target.toLowerCase()) ? '' : ` on ${target}`;
    const said = excerpt(raw(essentials, 'description'), 400);
    const why = measured(context);
    return says(event, {
      content: lines(`${rule}${at}${around(': ', why || said)}`, why === '' ? '' : said),
      priority: severity === '' ? USUAL : severityPriority(severity),
      tags: ['azure-monitor', severity],
      url: pageOf(essentials, context),
      dedupeKey: ours,
      metadata: {
        rule: line(essentials, 'alertRule', 200),
        resource: line(essentials, 'alertTargetIDs.0', 400),
        service: line(essentials, 'monitoringService', 60),
        signal: line(essentials, 'signalType', 60),
        since: moment(essentials, 'firedDateTime'),
      },
    });
  },
  sample,
};
