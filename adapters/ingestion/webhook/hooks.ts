// Takes a webhook in: who it is for, whether there is room, whether it is proven, what it says, and only then, once it is durable, the
// sender's answer. Without HTTP of its own, so that it can be driven by anything.
import { ERROR_TABLE, QinboxError, type ErrorCode } from '#core/errors.ts';
import type { Clock } from '#core/ports/clock.ts';
import type { AdapterLog, Desk, HttpAnswer, HttpRequest, OpenIntake } from '#core/ports/adapter.ts';
import { decode } from './body.ts';
import { ACCEPTED_ENCODINGS, unpack } from './inflate.ts';
import { interpret } from './interpret.ts';
import { keep, safeHeaders } from './kept.ts';
import type { Preset } from './preset.ts';
import type { Unreadable } from './unreadable.ts';
import type { Proof, Scheme } from './verify/scheme.ts';
import { schemeOf } from './verify/schemes.ts';

/** Methods that carry a delivery. */
export const DELIVERING = ['POST', 'PUT', 'PATCH', 'DELETE'] as const;
const ALLOW = [...DELIVERING, 'OPTIONS'].join(', ');
/** What an intake takes; told to CloudEvents senders, who ask. */
const DELIVERIES_PER_MINUTE = 600;

export interface HooksDeps {
  desk: Desk;
  clock: Clock;
  log: AdapterLog;
  presets: readonly Preset[];
}

/** Answers requests to the addresses of intakes. Throws what the desk throws (busy, storage away). */
export function createHooks({ desk, clock, log, presets }: HooksDeps) {
  return {
    async handle(request: HttpRequest): Promise<HttpAnswer> {
      const intake = await desk.find(request.params['token'] ?? '');
      // As every address says where nothing is.
      if (intake === null)
        throw new QinboxError('NOT_FOUND', `There is nothing at ${request.method} ${request.path}.`);
      if (request.method === 'OPTIONS') return handshake(request);
      if (!(DELIVERING as readonly string[]).includes(request.method)) return wrongMethod(request);
      await desk.admit(intake, request.requestId);

      const { headers } = request;
      const notes = { verification: intake.verification.scheme };
      const unpacked = await unpack(request.body, headers['content-encoding']);
      if (!unpacked.ok) {
        desk.refuse(intake, unpacked.reason, { notes });
        return unreadable(request, unpacked);
      }
      const scheme = schemeOf(intake.verification.scheme);
      const proof = prove(scheme, intake, request, unpacked.bytes, clock.now());
      if (!proof.ok) {
        // Nothing of an unproven body is kept, and the sender is not told what was wrong with it.
        log.info({ intake: intake.id, scheme: intake.verification.scheme }, 'delivery refused: not proven');
        desk.refuse(intake, proof.reason, { notes });
        return unproven(request, scheme);
      }

      const contentType = headers['content-type'] ?? '';
      const safe = safeHeaders(headers, intake);
      const kept = keep(unpacked.bytes, contentType, safe);
      const decoded = decode(unpacked.bytes, contentType, safe);
      if (!decoded.ok) {
        desk.refuse(intake, decoded.reason, { request: kept, notes });
        return unreadable(request, decoded);
      }
      const reading = interpret(intake, decoded.body, presets);
      const taken = await desk.take({
        intake,
        reading,
        replayKey: proof.replayKey,
        request: kept,
        notes,
        requestId: request.requestId,
      });
      return {
        status: 202,
        body: {
          success: true,
          status: taken.kind,
          taskIds: taken.kind === 'ignored' ? [] : taken.taskIds,
          deliveryId: taken.deliveryId,
        },
      };
    },
  };
}

/**
 * Over the bytes as they came, or, where they came packed, over what was packed: senders differ in which of the two they sign, and
 * either binds all that is read.
 */
function prove(
  scheme: Scheme | null,
  intake: OpenIntake,
  { body, headers }: HttpRequest,
  unpacked: Buffer,
  now: number,
): Proof {
  if (scheme === null)
    return { ok: false, reason: `The verification ${intake.verification.scheme} is not known any more.` };
  const { secrets, verification } = intake;
  const judge = (bytes: Buffer) =>
    scheme.verify({ body: bytes, headers, secrets, options: verification.options, now });
  const proof = judge(body);
  return proof.ok || unpacked === body ? proof : judge(unpacked);
}

// A CloudEvents sender asks whether it may write here before it does (CloudEvents HTTP WebHook 1.0 §4).
function handshake({ headers }: HttpRequest): HttpAnswer {
  const origin = headers['webhook-request-origin'];
  if (origin === undefined) return { status: 204, headers: { allow: ALLOW } };
  return {
    status: 200,
    headers: {
      allow: ALLOW,
      'webhook-allowed-origin': /^[\w.:*-]{1,253}$/.test(origin) ? origin : '*',
      'webhook-allowed-rate': String(DELIVERIES_PER_MINUTE),
    },
  };
}

function wrongMethod(request: HttpRequest): HttpAnswer {
  return refusal(
    request,
    'METHOD_NOT_ALLOWED',
    'This is the address of an intake. Senders deliver to it with POST.',
    {
      allow: ALLOW,
    },
  );
}

function unreadable(request: HttpRequest, { code, reason }: Unreadable): HttpAnswer {
  const isEncoding = code === 'UNSUPPORTED_MEDIA_TYPE' && request.headers['content-encoding'] !== undefined;
  return refusal(request, code, reason, isEncoding ? { 'accept-encoding': ACCEPTED_ENCODINGS } : {});
}

function unproven(request: HttpRequest, scheme: Scheme | null): HttpAnswer {
  return refusal(
    request,
    'UNAUTHORIZED',
    "This delivery is not proven. The intake's owner sees why in its deliveries.",
    scheme?.challenge === undefined ? {} : { 'www-authenticate': scheme.challenge },
  );
}

function refusal(
  { requestId }: HttpRequest,
  code: ErrorCode,
  error: string,
  headers: Readonly<Record<string, string>>,
): HttpAnswer {
  return { status: ERROR_TABLE[code].http, headers, body: { success: false, error, code, requestId } };
}
