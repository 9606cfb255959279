// Alerts as Prometheus Alertmanager groups them, and as Grafana does after its example. One task per alert,
// found again by its fingerprint (that of its labels): a repeat counts on it, and `resolved` closes it.
import { fingerprintOf } from '#core/domain/hash.ts';
import type { Priority } from '#core/contract/index.ts';
import type { ParsedDelivery, ParsedTask } from '#core/domain/delivery.ts';
import { entries, field, isObject, items, line, link, moment, number, raw } from './read.ts';
import { key, severityPriority, task, USUAL } from './result.ts';
import { around, excerpt, lines, oneLine, spoken } from './text.ts';

/** A delivery makes 500 tasks at most; one of them tells of the alerts that are left out. */
const MAX_ALERTS = 499;

type Sender = 'alertmanager' | 'grafana';

/** A group of alerts, or null when it is none. `sender` starts the keys. */
export function readAlerts(body: unknown, sender: Sender): ParsedDelivery | null {
  if (!isObject(body) || !Array.isArray(field(body, 'alerts'))) return null;
  const alerts = items(body, 'alerts').filter(isObject);
  const firing = alerts.filter((alert) => !isOver(body, alert));
  const closed = alerts.filter((alert) => isOver(body, alert));
  const leftOut = (number(body, 'truncatedAlerts') ?? 0) + Math.max(0, firing.length - MAX_ALERTS);
  const group = key(sender, 'truncated', raw(body, 'groupKey'));
  const event = firing.length > 0 || closed.length === 0 ? 'firing' : 'resolved';
  const tasks = firing.slice(0, MAX_ALERTS).map((alert) => taskOf(body, alert, sender));
  if (leftOut > 0 && event === 'firing') tasks.push(leftOutTask(body, leftOut, group, sender));
  const resolves = closed.map((alert) => keyOf(alert, sender));
  if (event === 'resolved') resolves.push(group);
  if (tasks.length === 0 && resolves.length === 0)
    return { tasks, resolves, event, ignored: 'The group has no alerts.' };
  return { tasks, resolves, event };
}

function isOver(body: unknown, alert: unknown): boolean {
  return (raw(alert, 'status') || raw(body, 'status')) === 'resolved';
}

/** Old senders give no fingerprint; then the labels are one. */
function keyOf(alert: unknown, sender: string): string {
  const labels = entries(alert, 'labels').toSorted(([a], [b]) => (a < b ? -1 : 1));
  return key(sender, raw(alert, 'fingerprint') || fingerprintOf(labels));
}

function taskOf(body: unknown, alert: unknown, sender: Sender): ParsedTask {
  const severity = line(alert, ['labels.severity', 'labels.priority', 'labels.level'], 40);
  const links = linksOf(body, alert, sender);
  return task({
    content: sentence(alert),
    priority: severityOf(severity),
    tags: [
      sender,
      severity === 'none' ? '' : severity,
      line(alert, ['labels.service', 'labels.team', 'labels.namespace', 'labels.job'], 50),
    ],
    url: links.dashboard || links.source || links.overview,
    dedupeKey: keyOf(alert, sender),
    metadata: {
      labels: Object.fromEntries(texts(alert, 'labels', 30)),
      since: moment(alert, 'startsAt'),
      values: Object.fromEntries(texts(alert, 'values', 10)),
      ...links,
    },
  });
}

function severityOf(severity: string): Priority | undefined {
  return severity === '' ? USUAL : severityPriority(severity);
}

/** Names and values of the first fields of the object at the path. */
function texts(alert: unknown, path: string, limit: number): (readonly [name: string, value: string])[] {
  const fields = entries(alert, path).slice(0, limit);
  return fields.map(([name, value]) => [oneLine(name, 60), line({ value }, 'value', 300)]);
}

/** `InstanceDown on web-1: …`, or the summary alone when it names the alert already. */
function sentence(alert: unknown): string {
  const rule = line(alert, 'labels.rulename', 120);
  const name = line(alert, 'labels.alertname', 120);
  const trouble =
    name === 'DatasourceNoData' ? 'no data' : name === 'DatasourceError' ? 'the query failed' : '';
  const title = trouble !== '' && rule !== '' ? `${rule}: ${trouble}` : name;
  // Grafana says in `Error` why a query failed; what the rule says then was not measured.
  const said = ['Error', 'summary', 'title', 'message', 'description', 'Summary', 'Description']
    .map((part) => raw(alert, `annotations.${part}`))
    .find((text) => text.trim() !== '');
  const summary = excerpt(said ?? '', 240);
  const place = line(
    alert,
    ['labels.instance', 'labels.host', 'labels.hostname', 'labels.node', 'labels.pod', 'labels.namespace'],
    80,
  );
  const at = place === '' || summary.includes(place) ? '' : ` on ${place}`;
  const named = title !== '' && summary.toLowerCase().includes(spoken(title).toLowerCase());
  const first =
    summary === ''
      ? `${title || labelled(alert)}${at}`
      : named || title === ''
        ? `${summary}${at}`
        : `${title}${at}: ${summary}`;
  const more = excerpt(raw(alert, 'annotations.description') || raw(alert, 'annotations.message'), 400);
  return lines(first, more === '' || first.includes(more) ? '' : more);
}

/** What an alert without a name is about. */
function labelled(alert: unknown): string {
  const labels = texts(alert, 'labels', 4).map(
    ([name, value]) => `${oneLine(name, 40)}=${value.slice(0, 60)}`,
  );
  return `An alert${around(' with ', labels.join(', '))}`;
}

function linksOf(body: unknown, alert: unknown, sender: Sender) {
  const overview = link(body, 'externalURL');
  const inAnnotations = ['dashboard_url', 'dashboard', 'dashboardURL'].map((name) => `annotations.${name}`);
  return {
    dashboard: link(alert, 'panelURL', 'dashboardURL', ...inAnnotations),
    source: link(alert, 'generatorURL'),
    silence:
      link(alert, 'silenceURL') ||
      (sender === 'alertmanager' && overview !== '' ? silenceOf(overview, alert) : ''),
    runbook: link(alert, 'annotations.runbook_url', 'annotations.runbook'),
    overview,
  };
}

/** Alertmanager's page for a new silence, its matchers filled in. */
function silenceOf(overview: string, alert: unknown): string {
  const labels = texts(alert, 'labels', 20);
  const matchers = labels.map(([name, value]) => `${name}="${value.replace(/["\\]/g, '\\$&')}"`);
  return `${overview.replace(/\/$/, '')}/#/silences/new?filter=${encodeURIComponent(`{${matchers.join(', ')}}`)}`;
}

function leftOutTask(body: unknown, many: number, dedupeKey: string, sender: string): ParsedTask {
  const labels = entries(body, 'commonLabels').length > 0 ? 'commonLabels' : 'groupLabels';
  const name = line(body, [`${labels}.alertname`, 'groupLabels.alertname'], 120);
  return task({
    content: `${many} more ${around('', name, ' ')}${many === 1 ? 'alert is' : 'alerts are'} firing; ${sender === 'grafana' ? 'Grafana' : 'Alertmanager'} left ${many === 1 ? 'it' : 'them'} out of its message`,
    priority: severityOf(raw(body, 'commonLabels.severity')),
    tags: [sender],
    url: link(body, 'externalURL'),
    dedupeKey,
  });
}
