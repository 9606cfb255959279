// Answers requests to the address of an intake, once what they deliver is durable. Independent of the server,
// so that tests can drive it.
import { INTAKE_PER_MINUTE } from '#core/contract/index.ts';
import { ERROR_TABLE, nothingAt, type ErrorCode } from '#core/errors.ts';
import type { HttpResponse, HttpRequest } from '#core/ports/adapter/http.ts';
import { createProtocolHandler } from '../protocols/handler.ts';
import { slackWebhook } from '../protocols/slack.ts';
import type { IntakeWithSecrets } from '#core/ports/adapter/intake.ts';
import { askedOf, type FalseHandshake, type Handshake } from './handshake.ts';
import { createReceiver, NOT_PROVEN, type Receiver, type ReceiverDeps } from './receive.ts';

/** Methods that carry a delivery. */
export const DELIVERY_METHODS = ['POST', 'PUT', 'PATCH', 'DELETE'] as const;
const ALLOW = [...DELIVERY_METHODS, 'OPTIONS'].join(', ');

/** Answers requests to the addresses of intakes. Throws what the intake service throws. */
export function createWebhookHandler(deps: ReceiverDeps, receive: Receiver = createReceiver(deps)) {
  const asSlack = createProtocolHandler(deps, receive, slackWebhook);

  function answerTo(
    asked: Handshake | FalseHandshake,
    request: HttpRequest,
    intake: IntakeWithSecrets,
  ): HttpResponse {
    deps.intakeService.checkPaused(intake);
    const unprovenFrom = request.address;
    if ('refused' in asked) {
      deps.intakeService.refuse(intake, asked.refused, { event: 'handshake', unprovenFrom });
      return refusal(request, 'UNAUTHORIZED', NOT_PROVEN, {});
    }
    deps.intakeService.noteHandshake(intake, asked.reason, { unprovenFrom });
    return asked.answer;
  }

  return {
    async handle(request: HttpRequest): Promise<HttpResponse> {
      const intake = await deps.intakeService.find(request.params['token'] ?? '');
      if (intake === null) throw nothingAt(request.method, request.path);
      if (request.method === 'OPTIONS') return allowed(request);
      const asked = askedOf(request, intake);
      if (asked !== null) return answerTo(asked, request, intake);
      if (!(DELIVERY_METHODS as readonly string[]).includes(request.method)) return wrongMethod(request);
      // Mattermost's clients post to /hooks/TOKEN and take nothing but 200 for success.
      if (intake.preset === slackWebhook.preset) return asSlack(request, intake);
      const reception = await receive(intake, request);
      if (reception.kind === 'refused')
        return refusal(request, reception.code, reception.reason, reception.headers);
      if (reception.kind === 'handshake') return reception.answer;
      const { result } = reception;
      return {
        status: 202,
        body: {
          success: true,
          status: result.kind,
          taskIds: result.kind === 'ignored' ? [] : result.taskIds,
          deliveryId: result.deliveryId,
        },
      };
    },
  };
}

// A CloudEvents sender asks whether it may write here before it does (CloudEvents HTTP WebHook 1.0 §4).
function allowed({ headers }: HttpRequest): HttpResponse {
  const origin = headers['webhook-request-origin'];
  if (origin === undefined) return { status: 204, headers: { allow: ALLOW } };
  return {
    status: 200,
    headers: {
      allow: ALLOW,
      'webhook-allowed-origin': /^[\w.:*-]{1,253}$/.test(origin) ? origin : '*',
      'webhook-allowed-rate': String(INTAKE_PER_MINUTE),
    },
  };
}

function wrongMethod(request: HttpRequest): HttpResponse {
  const error = 'This is the address of an intake. Senders deliver to it with POST.';
  return refusal(request, 'METHOD_NOT_ALLOWED', error, { allow: ALLOW });
}

function refusal(
  { requestId }: HttpRequest,
  code: ErrorCode,
  error: string,
  headers: Readonly<Record<string, string>>,
): HttpResponse {
  return { status: ERROR_TABLE[code].http, headers, body: { success: false, error, code, requestId } };
}
