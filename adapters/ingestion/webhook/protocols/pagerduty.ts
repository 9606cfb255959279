// PagerDuty's Events API, versions 2 and 1: trigger, acknowledge and resolve by a key.
// https://developer.pagerduty.com/docs/send-alert-event
import { createHash } from 'node:crypto';
import type { HttpRequest } from '#core/ports/adapter/http.ts';
import type { Body } from '../decode/body.ts';
import { isObject, raw } from '../presets/read.ts';
import type { Protocol } from './protocol.ts';
import { jsonOf, withJson } from './request-json.ts';

const isChange = (path: string) => path.endsWith('/change/enqueue');
const isFirst = (path: string) => path.endsWith('/create_event.json');

/** The key of an event without one, the same for a retry: its sender can resolve what it triggered. */
function madeKey(payload: unknown): string {
  return createHash('sha256').update(JSON.stringify(payload)).digest('hex').slice(0, 32);
}

function withKey(request: HttpRequest): HttpRequest {
  const payload = jsonOf(request);
  const name = isFirst(request.path) ? 'incident_key' : 'dedup_key';
  if (!isObject(payload) || isChange(request.path) || raw(payload, name) !== '') return request;
  return withJson(request, { ...payload, [name]: madeKey(payload) });
}

function faultOf({ value }: Body): string | null {
  if (raw(value, 'event_type') !== '') return null;
  if (raw(value, 'payload.summary') === '') {
    if (raw(value, 'event_action') === 'trigger' || raw(value, 'event_action') === '')
      return "'payload.summary' is missing or blank";
    return raw(value, 'dedup_key') === '' ? "'dedup_key' is missing or blank" : null;
  }
  return null;
}

export const pagerdutyEvents: Protocol = {
  id: 'pagerduty',
  title: 'PagerDuty Events',
  routes: [
    { methods: ['POST'], path: '/v2/enqueue' },
    { methods: ['POST'], path: '/v2/change/enqueue' },
    { methods: ['POST'], path: '/generic/2010-04-15/create_event.json' },
  ],
  preset: 'pagerduty',
  setting: ({ url, token }) => ({ address: `${url}/v2/enqueue`, key: token }),
  token(request) {
    const payload = jsonOf(request);
    return (
      raw(payload, 'routing_key') || raw(payload, 'service_key') || (request.headers['x-routing-key'] ?? '')
    );
  },
  prepare: withKey,
  check: faultOf,
  accepted({ request: { path }, body: { value } }) {
    if (isChange(path))
      return { status: 202, body: { status: 'success', message: 'Change event processed' } };
    const common = { status: 'success', message: 'Event processed' };
    return isFirst(path)
      ? { status: 200, body: { ...common, incident_key: raw(value, 'incident_key') } }
      : { status: 202, body: { ...common, dedup_key: raw(value, 'dedup_key') } };
  },
  refused({ status: given, reason }) {
    const status = given === 404 || given === 401 ? 400 : given;
    const errors = [given === 404 || given === 401 ? 'Invalid routing key' : reason];
    return { status, body: { status: 'invalid event', message: 'Event object is invalid', errors } };
  },
};
