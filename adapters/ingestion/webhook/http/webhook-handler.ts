// Receives a delivery to an intake: finds the intake, verifies, decodes, interprets and ingests it, and
// answers only once it is durable. Independent of the server, so that tests can drive it.
import { INTAKE_PER_MINUTE } from '#core/contract/index.ts';
import { filled } from '#core/domain/filled.ts';
import { networkOf } from '#core/domain/network.ts';
import { ERROR_TABLE, QinboxError, type ErrorCode } from '#core/errors.ts';
import type { Clock } from '#core/ports/clock.ts';
import type { HttpResponse, HttpRequest } from '#core/ports/adapter/http.ts';
import type { IntakeService, IntakeWithSecrets } from '#core/ports/adapter/intake.ts';
import type { Log } from '#core/ports/log.ts';
import { decode } from '../decode/body.ts';
import { ACCEPTED_ENCODINGS, unpack } from '../decode/content-encoding.ts';
import { interpret } from '../interpret.ts';
import { toStoredRequest, safeHeaders } from '../stored-request.ts';
import type { Preset } from '../presets/preset.ts';
import { createConcurrencyLimit } from './concurrency-limit.ts';
import type { Unreadable } from '../decode/unreadable.ts';
import type { Proof, Scheme } from '../verify/scheme.ts';
import { redact } from '../redaction/redact.ts';
import { schemeOf } from '../verify/schemes.ts';

/** Methods that carry a delivery. */
export const DELIVERY_METHODS = ['POST', 'PUT', 'PATCH', 'DELETE'] as const;
const ALLOW = [...DELIVERY_METHODS, 'OPTIONS'].join(', ');
/** A few bytes may unpack to 1 MiB, so unproven bodies are unpacked two at a time, fairly by network. */
const UNPACKING_UNPROVEN = { concurrency: 2, waitingPerKey: 50, waiting: 1000 };

export interface WebhookHandlerDeps {
  intakeService: IntakeService;
  clock: Clock;
  log: Log;
  presets: readonly Preset[];
}

/** Answers requests to the addresses of intakes. Throws what the intake service throws. */
export function createWebhookHandler(deps: WebhookHandlerDeps) {
  const { intakeService, clock } = deps;
  const unpackingUnproven = createConcurrencyLimit(UNPACKING_UNPROVEN);

  /**
   * Verifies the bytes as they came or, where they came encoded, the decoded bytes: senders differ in which
   * of the two they sign, and either covers everything that is read.
   *
   * Nothing is counted before, not even by address: a forger may share the address of the true sender (a
   * cloud's egress, a proxy), and would use up its limit. The cost of a forged delivery is bounded instead:
   * its body by the server, two signatures over it, a limit on unpacking, its record by the intake service.
   */
  async function verify(intake: IntakeWithSecrets, request: HttpRequest): Promise<Verified> {
    const { body, headers } = request;
    const scheme = schemeOf(intake.verification.scheme);
    const proofOf = (bytes: Buffer) => prove(scheme, intake, headers, bytes, clock.now());
    const encoding = headers['content-encoding'];
    const proof = proofOf(body);
    if (proof.ok || encoding === undefined) return { proof };
    const unpacked = await unpackingUnproven.run(networkOf(request.address), () => unpack(body, encoding));
    if (unpacked === null)
      throw new QinboxError('SERVICE_UNAVAILABLE', 'Too much waits to be checked. Try again later.', {
        retryAfterSeconds: 5,
      });
    return { proof: unpacked.ok ? proofOf(unpacked.bytes) : proof, unpacked };
  }

  return {
    async handle(request: HttpRequest): Promise<HttpResponse> {
      const intake = await intakeService.find(request.params['token'] ?? '');
      // The answer of every address where nothing is.
      if (intake === null)
        throw new QinboxError('NOT_FOUND', `There is nothing at ${request.method} ${request.path}.`);
      if (request.method === 'OPTIONS') return handshake(request);
      if (!(DELIVERY_METHODS as readonly string[]).includes(request.method)) return wrongMethod(request);
      intakeService.checkPaused(intake);
      const { proof, unpacked } = await verify(intake, request);
      return proof.ok
        ? ingest(deps, { intake, request, proof, unpacked })
        : refuseUnproven(deps, { intake, request, proof, unpacked });
    },
  };
}

type Unpacked = Awaited<ReturnType<typeof unpack>>;

interface Verified {
  proof: Proof;
  /** The body without its encodings, where it had to be unpacked to verify it. */
  unpacked?: Unpacked | undefined;
}

/** A request to an intake after its verification. */
interface Received<P extends Proof> extends Verified {
  intake: IntakeWithSecrets;
  request: HttpRequest;
  proof: P;
}

/** Nothing of an unproven body is stored, and its sender is not told why it was refused. */
function refuseUnproven(
  { intakeService, log }: WebhookHandlerDeps,
  { intake, request, proof, unpacked }: Received<Extract<Proof, { ok: false }>>,
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

async function ingest(
  { intakeService, presets }: WebhookHandlerDeps,
  { intake, request, proof, unpacked: known }: Received<Extract<Proof, { ok: true }>>,
): Promise<HttpResponse> {
  await intakeService.authorize(intake, request.requestId);

  const { headers } = request;
  const notes = { verification: intake.verification.scheme };
  const unpacked = known ?? (await unpack(request.body, headers['content-encoding']));
  if (!unpacked.ok) {
    intakeService.refuse(intake, unpacked.reason, { notes });
    return unreadable(request, unpacked);
  }
  const contentType = headers['content-type'] ?? '';
  const safe = safeHeaders(headers, intake);
  const decoded = decode(unpacked.bytes, contentType, safe);
  if (!decoded.ok) {
    const stored = toStoredRequest(unpacked.bytes, contentType, safe, null);
    intakeService.refuse(intake, decoded.reason, { request: stored, notes });
    return unreadable(request, decoded);
  }
  const body = redact(decoded.body);
  const result = await intakeService
    .ingest({
      intake,
      parsed: interpret(intake, body, presets),
      replayKey: proof.replayKey,
      request: toStoredRequest(unpacked.bytes, contentType, safe, body),
      notes,
      requestId: request.requestId,
    })
    .catch(throwFullAsUnavailable);
  return {
    status: 202,
    body: {
      success: true,
      status: result.kind,
      taskIds: result.kind === 'ignored' ? [] : result.taskIds,
      deliveryId: result.deliveryId,
    },
  };
}

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
function throwFullAsUnavailable(fault: unknown): never {
  if (!(fault instanceof QinboxError) || fault.code !== 'QUOTA_EXCEEDED') throw fault;
  const { message, retryAfterSeconds = 60 } = fault;
  throw new QinboxError('SERVICE_UNAVAILABLE', message, { retryAfterSeconds });
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
      'webhook-allowed-rate': String(INTAKE_PER_MINUTE),
    },
  };
}

function wrongMethod(request: HttpRequest): HttpResponse {
  const error = 'This is the address of an intake. Senders deliver to it with POST.';
  return refusal(request, 'METHOD_NOT_ALLOWED', error, { allow: ALLOW });
}

function unreadable(request: HttpRequest, { code, reason }: Unreadable): HttpResponse {
  const isEncoding = code === 'UNSUPPORTED_MEDIA_TYPE' && request.headers['content-encoding'] !== undefined;
  return refusal(request, code, reason, isEncoding ? { 'accept-encoding': ACCEPTED_ENCODINGS } : {});
}

function unproven(request: HttpRequest, scheme: Scheme | null): HttpResponse {
  const error = "This delivery is not proven. The intake's owner sees why in its deliveries.";
  return refusal(request, 'UNAUTHORIZED', error, filled({ 'www-authenticate': scheme?.challenge }));
}

function refusal(
  { requestId }: HttpRequest,
  code: ErrorCode,
  error: string,
  headers: Readonly<Record<string, string>>,
): HttpResponse {
  return { status: ERROR_TABLE[code].http, headers, body: { success: false, error, code, requestId } };
}
