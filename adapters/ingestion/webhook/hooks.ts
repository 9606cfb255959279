// Takes a webhook in: who it is for, whether there is room, whether it is proven, what it says, and only then, once it is durable, the
// sender's answer. Without HTTP of its own, so that it can be driven by anything.
import { networkOf } from '#core/domain/network.ts';
import { ERROR_TABLE, QinboxError, type ErrorCode } from '#core/errors.ts';
import type { Clock } from '#core/ports/clock.ts';
import type { HttpResponse, HttpRequest } from '#core/ports/adapter/http.ts';
import type { IntakeService, IntakeWithSecrets } from '#core/ports/adapter/intake.ts';
import type { Log } from '#core/ports/log.ts';
import { decode } from './body.ts';
import { ACCEPTED_ENCODINGS, unpack } from './inflate.ts';
import { interpret } from './interpret.ts';
import { keep, safeHeaders } from './kept.ts';
import type { Preset } from './preset.ts';
import { createTurns } from './turns.ts';
import type { Unreadable } from './unreadable.ts';
import type { Proof, Scheme } from './verify/scheme.ts';
import { redact } from './redact.ts';
import { schemeOf } from './verify/schemes.ts';

/** Methods that carry a delivery. */
export const DELIVERING = ['POST', 'PUT', 'PATCH', 'DELETE'] as const;
const ALLOW = [...DELIVERING, 'OPTIONS'].join(', ');
/** What an intake takes; told to CloudEvents senders, who ask. */
const DELIVERIES_PER_MINUTE = 600;
/** A few bytes may unpack to 1 MiB: those that nobody has proven are unpacked in turns, each address by itself. */
const UNPACKING_UNPROVEN = { atOnce: 2, perLane: 50, inAll: 1000 };

export interface HooksDeps {
  intakeService: IntakeService;
  clock: Clock;
  log: Log;
  presets: readonly Preset[];
}

/** Answers requests to the addresses of intakes. Throws what the intake service throws (busy, storage away). */
export function createHooks({ intakeService, clock, log, presets }: HooksDeps) {
  const unprovenTurns = createTurns(UNPACKING_UNPROVEN);

  /**
   * Judges the bytes as they came, or, where they came packed, what was packed: senders differ in which of the two they sign, and
   * either binds all that is read.
   *
   * Before anything is counted, from whatever address it comes: a forger may share one with the true sender (a cloud's way
   * out, a proxy in front of us), who would be shut out by any bound on the address. What a forged delivery costs is bounded instead:
   * its body by the server, two signatures over it, unpacking by turns, its record by the intake service.
   */
  async function proven(intake: IntakeWithSecrets, request: HttpRequest): Promise<Proven> {
    const { body, headers } = request;
    const scheme = schemeOf(intake.verification.scheme);
    const judge = (bytes: Buffer) => prove(scheme, intake, headers, bytes, clock.now());
    const encoding = headers['content-encoding'];
    const proof = judge(body);
    if (proof.ok || encoding === undefined) return { proof };
    const unpacked = await unprovenTurns.take(networkOf(request.address), () => unpack(body, encoding));
    if (unpacked === null) throw crowded();
    return { proof: unpacked.ok ? judge(unpacked.bytes) : proof, unpacked };
  }

  /** Of an unproven body nothing is kept, and the sender is not told what was wrong with it. */
  function turnAway(
    intake: IntakeWithSecrets,
    request: HttpRequest,
    { proof, unpacked }: Unproven,
  ): HttpResponse {
    const { scheme } = intake.verification;
    const reason = unpacked?.ok === false ? unpacked.reason : proof.reason;
    const noted = intakeService.refuse(intake, reason, {
      notes: { verification: scheme },
      unprovenFrom: request.address,
    });
    if (noted) log.info({ intake: intake.id, scheme }, 'delivery refused: not proven');
    return unpacked?.ok === false ? unreadable(request, unpacked) : unproven(request, schemeOf(scheme));
  }

  async function takeIn(
    intake: IntakeWithSecrets,
    request: HttpRequest,
    sure: Proven,
  ): Promise<HttpResponse> {
    const { proof } = sure;
    if (!proof.ok) return turnAway(intake, request, { ...sure, proof });
    await intakeService.authorize(intake, request.requestId);

    const { headers } = request;
    const notes = { verification: intake.verification.scheme };
    const unpacked = sure.unpacked ?? (await unpack(request.body, headers['content-encoding']));
    if (!unpacked.ok) {
      intakeService.refuse(intake, unpacked.reason, { notes });
      return unreadable(request, unpacked);
    }
    const contentType = headers['content-type'] ?? '';
    const safe = safeHeaders(headers, intake);
    const decoded = decode(unpacked.bytes, contentType, safe);
    if (!decoded.ok) {
      intakeService.refuse(intake, decoded.reason, {
        request: keep(unpacked.bytes, contentType, safe, null),
        notes,
      });
      return unreadable(request, decoded);
    }
    const body = redact(decoded.body);
    const parsed = interpret(intake, body, presets);
    const taken = await intakeService
      .ingest({
        intake,
        parsed,
        replayKey: proof.replayKey,
        request: keep(unpacked.bytes, contentType, safe, body),
        notes,
        requestId: request.requestId,
      })
      .catch(sayFull);
    return {
      status: 202,
      body: {
        success: true,
        status: taken.kind,
        taskIds: taken.kind === 'ignored' ? [] : taken.taskIds,
        deliveryId: taken.deliveryId,
      },
    };
  }

  return {
    async handle(request: HttpRequest): Promise<HttpResponse> {
      const intake = await intakeService.find(request.params['token'] ?? '');
      // As every address says where nothing is.
      if (intake === null)
        throw new QinboxError('NOT_FOUND', `There is nothing at ${request.method} ${request.path}.`);
      if (request.method === 'OPTIONS') return handshake(request);
      if (!(DELIVERING as readonly string[]).includes(request.method)) return wrongMethod(request);
      intakeService.checkPaused(intake);
      return takeIn(intake, request, await proven(intake, request));
    },
  };
}

interface Proven {
  proof: Proof;
  /** The body without its encodings, where it had to be unpacked to judge it. */
  unpacked?: Awaited<ReturnType<typeof unpack>>;
}
type Unproven = Proven & { proof: Extract<Proof, { ok: false }> };

function prove(
  scheme: Scheme | null,
  { verification, secrets }: IntakeWithSecrets,
  headers: HttpRequest['headers'],
  body: Buffer,
  now: number,
): Proof {
  if (scheme === null)
    return { ok: false, reason: `The verification ${verification.scheme} is not known any more.` };
  return scheme.verify({ body, headers, secrets, options: verification.options, now });
}

/** Senders such as Alertmanager drop what is answered 429, and try again after 503. */
function sayFull(fault: unknown): never {
  if (!(fault instanceof QinboxError) || fault.code !== 'QUOTA_EXCEEDED') throw fault;
  const { message, retryAfterSeconds = 60 } = fault;
  throw new QinboxError('SERVICE_UNAVAILABLE', message, { retryAfterSeconds });
}

function crowded(): QinboxError {
  return new QinboxError('SERVICE_UNAVAILABLE', 'Too much waits to be checked. Try again later.', {
    retryAfterSeconds: 5,
  });
}

// A CloudEvents sender asks whether it may write here before it does (CloudEvents HTTP WebHook 1.0 §4).
function handshake({ headers }: HttpRequest): HttpResponse {
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

function wrongMethod(request: HttpRequest): HttpResponse {
  return refusal(
    request,
    'METHOD_NOT_ALLOWED',
    'This is the address of an intake. Senders deliver to it with POST.',
    {
      allow: ALLOW,
    },
  );
}

function unreadable(request: HttpRequest, { code, reason }: Unreadable): HttpResponse {
  const isEncoding = code === 'UNSUPPORTED_MEDIA_TYPE' && request.headers['content-encoding'] !== undefined;
  return refusal(request, code, reason, isEncoding ? { 'accept-encoding': ACCEPTED_ENCODINGS } : {});
}

function unproven(request: HttpRequest, scheme: Scheme | null): HttpResponse {
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
): HttpResponse {
  return { status: ERROR_TABLE[code].http, headers, body: { success: false, error, code, requestId } };
}
