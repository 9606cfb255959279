// Answers another hub's clients in its own words, once what they deliver is durable. A caller without a token
// learns nothing: an unknown one reads like an address where nothing is, and stands in no answer.
import { createHash } from 'node:crypto';
import { ERROR_TABLE, QinboxError } from '#core/errors.ts';
import { filled } from '#core/domain/filled.ts';
import type { HttpRequest, HttpResponse } from '#core/ports/adapter/http.ts';
import type { DeliveryResult } from '#core/ports/adapter/intake.ts';
import type { Receiver, ReceiverDeps } from '../http/receive.ts';
import type { Protocol } from './protocol.ts';

const ID_CHARACTERS = 20;
const NO_SUCH = 'There is nothing at this address.';

/** The handler of one protocol. Throws only faults. */
export function createProtocolHandler(
  { intakeService, clock }: Pick<ReceiverDeps, 'intakeService' | 'clock'>,
  receive: Receiver,
  protocol: Protocol,
) {
  async function deliver(request: HttpRequest, token: string): Promise<HttpResponse> {
    const intake = token === '' ? null : await intakeService.find(token);
    if (intake === null) throw new QinboxError('NOT_FOUND', NO_SUCH);
    const { preset } = protocol;
    const prepared = protocol.prepare?.(request) ?? request;
    const reception = await receive(intake, prepared, {
      preset: typeof preset === 'string' ? preset : preset(request),
      check: (body) => protocol.check?.(body) ?? null,
    });
    if (reception.kind === 'refused') {
      const { code, reason, headers } = reception;
      const answer = protocol.refused({ request, status: ERROR_TABLE[code].http, reason });
      return { ...answer, headers: { ...headers, ...answer.headers } };
    }
    const { body, result } = reception;
    return protocol.accepted({ request, body, result, id: idOf(result), at: clock.now() });
  }

  return async (request: HttpRequest): Promise<HttpResponse> => {
    const known = protocol.answer?.(request) ?? null;
    if (known !== null) return known;
    const token = protocol.token(request);
    // The answer of every address where nothing is.
    if (token === '' && protocol.sharesAddresses === true)
      throw new QinboxError(
        'NOT_FOUND',
        `There is nothing at ${request.method} ${request.path.slice(0, 200)}.`,
      );
    try {
      return await deliver(request, token);
    } catch (fault) {
      if (!(fault instanceof QinboxError)) throw fault;
      const { code, message: reason, retryAfterSeconds } = fault;
      const answer = protocol.refused({ request, status: ERROR_TABLE[code].http, reason });
      const retry = filled({ 'retry-after': retryAfterSeconds?.toString() });
      return { ...answer, headers: { ...retry, ...answer.headers } };
    }
  };
}

/** Repeats of a delivery have the tasks of the first. */
function idOf(result: DeliveryResult): string {
  const about = result.kind === 'ignored' ? result.deliveryId : (result.taskIds[0] ?? result.deliveryId);
  return createHash('sha256').update(about).digest('hex').slice(0, ID_CHARACTERS);
}
