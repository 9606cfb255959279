// The call that senders of webhooks make, as the API's description shows it.
import { Type } from 'typebox';
import { errors, oneOf, routesTagged, success } from '#core/contract/common.ts';

/** Where senders deliver to. */
export const receiveRoute = routesTagged('Intakes')('POST', '/hooks/:token', 'public', {
  limit: 'none',
  operationId: 'receiveDelivery',
  summary: 'Deliver to an intake',
  description:
    'Any method with a body: JSON, a form, text, XML or bytes up to 1 MiB, proven by the verification of the intake. Also at the root, as /hooks/{token}. Senders that ask first are answered as they want it, with 200. A full cap answers 503 with Retry-After, never 429.',
  params: Type.Object({ token: Type.String({ minLength: 1, maxLength: 100 }) }),
  response: {
    202: Type.Object({
      success,
      status: oneOf(['accepted', 'duplicate', 'ignored']),
      deliveryId: Type.String(),
      taskIds: Type.Array(Type.String()),
    }),
    ...errors(400, 401, 404, 405, 413, 415),
  },
});
