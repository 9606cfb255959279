// Opsgenie's alerts: create, close and acknowledge by alias.
// https://docs.opsgenie.com/docs/alert-api
import type { HttpRequest } from '#core/ports/adapter/http.ts';
import { isObject, raw } from '../presets/read.ts';
import { credentialOf, type Protocol } from './protocol.ts';
import { jsonOf, withJson } from './request-json.ts';

const ACTIONS = ['close', 'acknowledge', 'notes'] as const;
const actionOf = (path: string) => ACTIONS.find((action) => path.endsWith(`/${action}`)) ?? '';

/** What the path says becomes part of the payload, as in Opsgenie's own webhooks. */
function withAlias(request: HttpRequest): HttpRequest {
  const { alias } = request.params;
  if (alias === undefined) return request;
  const action = request.method === 'DELETE' ? 'close' : actionOf(request.path);
  const given = jsonOf(request);
  return withJson(request, { ...(isObject(given) ? given : {}), action, alias });
}

export const opsgenieAlerts: Protocol = {
  id: 'opsgenie',
  title: 'Opsgenie',
  routes: [
    { methods: ['POST'], path: '/v2/alerts' },
    ...ACTIONS.map((action) => ({ methods: ['POST'], path: `/v2/alerts/:alias/${action}` })),
    { methods: ['DELETE'], path: '/v2/alerts/:alias' },
    { methods: ['GET'], path: '/v2/alerts/requests/:request' },
  ],
  preset: 'opsgenie',
  setting: ({ url, token }) => ({ address: url, key: token }),
  // A request is carried out before it is answered, so that its status is the same for each.
  answer: ({ method, params, requestId }) =>
    method === 'GET'
      ? {
          status: 200,
          body: {
            data: { success: true, isSuccess: true, action: 'Create', status: 'Created alert' },
            took: 0,
            requestId: params['request'] ?? requestId,
          },
        }
      : null,
  token: ({ headers }) => credentialOf(headers['authorization']),
  prepare: withAlias,
  check: ({ value }) =>
    raw(value, 'message') !== '' || raw(value, 'action') !== '' ? null : 'Message can not be empty.',
  accepted: ({ request }) => ({
    status: 202,
    body: { result: 'Request will be processed', took: 0, requestId: request.requestId },
  }),
  refused({ request: { requestId }, status: given, reason }) {
    // An unknown key is not proven; a payload that is not taken is 422 there.
    const status = given === 404 ? 401 : given === 400 ? 422 : given;
    if (status === 401) return { status, body: { message: 'Could not authenticate', took: 0, requestId } };
    const message = 'Request body is not processable. Please check the errors.';
    return { status, body: { message, errors: { message: reason }, took: 0, requestId } };
  },
};
