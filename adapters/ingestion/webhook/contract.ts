// The call that senders of webhooks make, as the API's description shows it.
import { Type } from 'typebox';
import { defineRoute, ErrorBody, refTo } from '#core/contract/common.ts';

const Error = refTo(ErrorBody);

/** Where senders deliver to. */
export const receiveRoute = defineRoute({
  method: 'POST',
  path: '/hooks/:token',
  access: 'public',
  limit: 'none',
  schema: {
    operationId: 'receiveDelivery',
    summary: 'Deliver to an intake',
    description:
      'Any method with a body: JSON, a form, text, XML or bytes up to 1 MiB, proven by the verification of the intake. Also at the root, as /hooks/{token}. A full cap answers 503 with Retry-After, never 429.',
    tags: ['Intakes'],
    params: Type.Object({ token: Type.String({ minLength: 1, maxLength: 100 }) }),
    response: {
      202: Type.Object({
        success: Type.Literal(true),
        status: Type.Unsafe<'accepted' | 'duplicate' | 'ignored'>({
          type: 'string',
          enum: ['accepted', 'duplicate', 'ignored'],
        }),
        deliveryId: Type.String(),
        taskIds: Type.Array(Type.String()),
      }),
      400: Error,
      401: Error,
      404: Error,
      405: Error,
      413: Error,
      415: Error,
    },
  },
});
