// The Apprise API: one address that passes a notification on.
// https://github.com/caronc/apprise-api#api-details
import { isObject, raw } from '../presets/read.ts';
import { credentialOf, type Protocol } from './protocol.ts';

export const appriseApi: Protocol = {
  id: 'apprise',
  title: 'Apprise API',
  routes: [
    { methods: ['POST'], path: '/notify' },
    { methods: ['POST'], path: '/notify/:key' },
  ],
  preset: 'apprise',
  setting: ({ url, token }) => ({ address: `${url.replace(/^http/, 'apprise')}/${token}` }),
  token: ({ params, headers }) =>
    params['key'] ?? headers['x-apprise-config-id'] ?? credentialOf(headers['authorization']),
  check: ({ value }) =>
    isObject(value) && (raw(value, 'body') !== '' || raw(value, 'title') !== '')
      ? null
      : 'Bad FORM Payload provided',
  accepted: ({ request }) =>
    /json/.test(request.headers['accept'] ?? '')
      ? { status: 200, body: { error: null, details: [] } }
      : { status: 200, body: 'Sent' },
  refused: ({ status, reason }) => ({ status, body: { error: reason } }),
};
