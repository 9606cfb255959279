// Answers another hub's clients in its own words, once what they deliver is durable. A caller without a token
// learns nothing: an unknown one reads like an address where nothing is, and stands in no answer.
import { createHash } from 'node:crypto';
import { ERROR_TABLE, nothingAt, QinboxError } from '#core/errors.ts';
import type { HttpRequest, HttpResponse } from '#core/ports/adapter/http.ts';
import type { DeliveryResult, IntakeWithSecrets } from '#core/ports/adapter/intake.ts';
import type { Receiver, ReceiverDeps } from '../http/receive.ts';
import { answerOr, type Protocol } from './protocol.ts';

const ID_CHARACTERS = 20;
const TOO_LARGE = ERROR_TABLE.PAYLOAD_TOO_LARGE.http;

/** The handler of one protocol. Throws only faults. */
export function createProtocolHandler(
  { intakeService, clock }: Pick<ReceiverDeps, 'intakeService' | 'clock'>,
  receive: Receiver,
  protocol: Protocol,
) {
  async function deliver(request: HttpRequest, intake: IntakeWithSecrets): Promise<HttpResponse> {
    const { due, preset } = protocol;
    const prepared = protocol.prepare?.(request) ?? request;
    const reception = await receive(intake, prepared, {
      preset: typeof preset === 'string' ? preset : preset(request),
      check: (body) => protocol.check?.(body) ?? null,
      ...(due === undefined ? {} : { due: (body) => due(body, clock.now()) }),
    });
    if (reception.kind === 'refused') {
      const { code, headers, reason } = reception;
      const refusal = protocol.refused({ request, status: ERROR_TABLE[code].http, reason });
      return { ...refusal, headers: { ...headers, ...refusal.headers } };
    }
    // Other hubs' protocols know of none.
    if (reception.kind === 'handshake') return reception.answer;
    const { body, dueAt, result } = reception;
    const about = aboutOf(result);
    const at = dueAt ?? clock.now();
    return protocol.accepted({ request, body, result, id: idOf(about), about, intakeId: intake.id, at });
  }

  /** `found`: the intake, where its address has said already which one it is. */
  return async (request: HttpRequest, found?: IntakeWithSecrets): Promise<HttpResponse> => {
    const known = protocol.answer?.(request) ?? null;
    if (known !== null) return known;
    const token = protocol.token(request);
    if (token === '' && protocol.sharesAddresses === true) throw nothingAt(request.method, request.path);
    return answerOr(
      async () => {
        const intake = found ?? (token === '' ? null : await intakeService.find(token));
        if (intake === null) throw new QinboxError('NOT_FOUND');
        return deliver(request, intake);
      },
      (status, reason) => protocol.refused({ request, status, reason }),
    );
  };
}

/** Refusals that come before the handler, in the words of the hub, where the address is its own. */
export function createEarlyRefusal(protocol: Protocol) {
  return (request: HttpRequest, status: number, reason: string): HttpResponse | null =>
    protocol.sharesAddresses === true && status !== TOO_LARGE && protocol.token(request) === ''
      ? null
      : protocol.refused({ request, status, reason });
}

/** Repeats of a delivery have the tasks of the first. */
function aboutOf(result: DeliveryResult): string {
  return result.kind === 'ignored' ? result.deliveryId : (result.taskIds[0] ?? result.deliveryId);
}

function idOf(about: string): string {
  return createHash('sha256').update(about).digest('hex').slice(0, ID_CHARACTERS);
}
