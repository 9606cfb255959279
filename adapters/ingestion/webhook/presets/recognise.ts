// Recognises a known sender by headers or fields that no other sends, for intakes without a preset.
import { field } from './read.ts';
import type { Payload, Preset } from './preset.ts';

const BY_HEADER: readonly (readonly [header: string, preset: string])[] = [
  ['x-github-event', 'github'],
  ['x-gogs-event', 'github'],
  ['x-gitlab-event', 'gitlab'],
  ['sentry-hook-resource', 'sentry'],
  ['ce-specversion', 'cloudevents'],
];

/** Fields that a payload must all have. */
const BY_FIELDS: readonly (readonly [fields: readonly string[], preset: string])[] = [
  [['alerts', 'orgId', 'receiver'], 'grafana'],
  [['alerts', 'groupKey', 'receiver'], 'alertmanager'],
  [['heartbeat', 'monitor', 'msg'], 'uptime-kuma'],
  [['specversion', 'type', 'source', 'id'], 'cloudevents'],
  [['event_action', 'dedup_key'], 'pagerduty'],
  [['event_action', 'payload'], 'pagerduty'],
  [['AlarmName', 'NewStateValue', 'NewStateReason'], 'cloudwatch'],
  [['TopicArn', 'Message', 'SigningCertURL'], 'cloudwatch'],
  [['version', 'title', 'message', 'type'], 'apprise'],
  [['FromFull', 'MessageID', 'Subject'], 'postmark'],
];

/** The preset of the sender that this payload shows, or null. */
export function recognise(
  { headers, value, contentType }: Payload,
  presets: readonly Preset[],
): Preset | null {
  // A batch is a list, and has no fields.
  const isEvents = contentType.startsWith('application/cloudevents');
  const id = isEvents ? 'cloudevents' : idOf(headers, value);
  return presets.find((preset) => preset.id === id) ?? null;
}

function idOf(headers: Payload['headers'], value: unknown): string | null {
  for (const [header, preset] of BY_HEADER) if (headers[header] !== undefined) return preset;
  if (typeof value !== 'object' || value === null) return null;
  const has = (field: string) => Object.hasOwn(value, field);
  for (const [fields, preset] of BY_FIELDS) if (fields.every(has)) return preset;
  if (field(value, 'Envelope.Body.Notification.MessageType') !== undefined) return 'apprise';
  if (field(value, 'schemaId') === 'azureMonitorCommonAlertSchema') return 'azure-monitor';
  const { object, id } = value as { object?: unknown; id?: unknown };
  return object === 'event' && typeof id === 'string' && id.startsWith('evt_') ? 'stripe' : null;
}
