// From a request to a durable delivery: finds the intake, verifies, decodes, interprets and ingests. Says
// what came of it; the words of the answer are the protocol's, ours or another hub's.
import { filled } from '#core/domain/filled.ts';
import { networkOf } from '#core/domain/network.ts';
import { QinboxError, type ErrorCode } from '#core/errors.ts';
import type { Clock } from '#core/ports/clock.ts';
import type { HttpRequest, HttpResponse } from '#core/ports/adapter/http.ts';
import type { DeliveryResult, IntakeService, IntakeWithSecrets } from '#core/ports/adapter/intake.ts';
import type { Log } from '#core/ports/log.ts';
import { decode, type Body } from '../decode/body.ts';
import { ACCEPTED_ENCODINGS, unpack } from '../decode/content-encoding.ts';
import { fromBytes } from '../decode/header-text.ts';
import type { Unreadable } from '../decode/unreadable.ts';
import { interpret } from '../interpret.ts';
import { PROTOCOL_HEADER, type Preset } from '../presets/preset.ts';
import { redact } from '../redaction/redact.ts';
import { safeHeaders, toStoredRequest } from '../stored-request.ts';
import type { Proof, Scheme } from '../verify/scheme.ts';
import { schemeOf } from '../verify/schemes.ts';
import { createConcurrencyLimit } from './concurrency-limit.ts';
import { askedByDelivery } from './handshake.ts';

/** A few bytes may unpack to 1 MiB, so unproven bodies are unpacked two at a time, fairly by network. */
const UNPACKING_UNPROVEN = { concurrency: 2, waitingPerKey: 50, waiting: 1000 };

/** What an unproven sender is told, and no more. */
export const NOT_PROVEN = "This delivery is not proven. The intake's owner sees why in its deliveries.";

export interface ReceiverDeps {
  intakeService: IntakeService;
  clock: Clock;
  log: Log;
  presets: readonly Preset[];
}

/** How deliveries of another hub's protocol are read. */
export interface Reading {
  preset: string;
  /** Why the hub itself would refuse the payload; null when it would not. */
  check(body: Body): string | null;
  /** When it is due, where the hub delivers later: in milliseconds, null for now, or why it would refuse. */
  due?: (body: Body) => Promise<number | string | null>;
}

/** What came of a request to an intake. */
export type Reception =
  /** It is durable. */
  | { kind: 'ingested'; result: DeliveryResult; body: Body; dueAt: number | null }
  /** It asked whether the address is the owner's, and nothing more. */
  | { kind: 'handshake'; answer: HttpResponse }
  | { kind: 'refused'; code: ErrorCode; reason: string; headers: Readonly<Record<string, string>> };

/** Receives deliveries. Throws what the intake service throws. */
export function createReceiver(deps: ReceiverDeps) {
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

  return async (
    intake: IntakeWithSecrets,
    request: HttpRequest,
    reading: Reading | null = null,
  ): Promise<Reception> => {
    intakeService.checkPaused(intake);
    const { proof, unpacked } = await verify(intake, request);
    return proof.ok
      ? ingest(deps, { intake, request, proof, unpacked }, reading)
      : refuseUnproven(deps, { intake, request, proof, unpacked });
  };
}

export type Receiver = ReturnType<typeof createReceiver>;

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
  { intakeService, log }: ReceiverDeps,
  { intake, request, proof, unpacked }: Received<Extract<Proof, { ok: false }>>,
): Reception {
  const { scheme } = intake.verification;
  const reason = unpacked?.ok === false ? unpacked.reason : proof.reason;
  const noted = intakeService.refuse(intake, reason, {
    notes: { verification: scheme },
    unprovenFrom: request.address,
  });
  if (noted) log.info({ intake: intake.id, scheme }, 'delivery refused: not proven');
  return unpacked?.ok === false ? unreadable(request, unpacked) : unproven(schemeOf(scheme));
}

async function ingest(
  { intakeService, presets }: ReceiverDeps,
  { intake, request, proof, unpacked: known }: Received<Extract<Proof, { ok: true }>>,
  reading: Reading | null,
): Promise<Reception> {
  await intakeService.authorize(intake, request.requestId);

  const notes = {
    verification: intake.verification.scheme,
    ...(reading === null ? {} : { protocol: reading.preset }),
  };
  const unpacked = known ?? (await unpack(request.body, request.headers['content-encoding']));
  if (!unpacked.ok) {
    intakeService.refuse(intake, unpacked.reason, { notes });
    return unreadable(request, unpacked);
  }
  const contentType = request.headers['content-type'] ?? '';
  const preset = presets.find(({ id }) => id === (reading?.preset ?? intake.preset));
  const safe = safeHeaders(headersOf(request, preset, reading), intake);
  const decoded = decode(unpacked.bytes, contentType, safe);
  if (!decoded.ok) {
    const stored = toStoredRequest(unpacked.bytes, contentType, safe, null);
    intakeService.refuse(intake, decoded.reason, { request: stored, notes });
    return unreadable(request, decoded);
  }
  const asked = reading === null ? askedByDelivery(request, decoded.body.value, intake) : null;
  if (asked !== null) {
    intakeService.noteHandshake(intake, asked.reason);
    return { kind: 'handshake', answer: asked.answer };
  }
  const body = redact(decoded.body);
  const stored = toStoredRequest(unpacked.bytes, contentType, safe, body);
  const due = await reading?.due?.(body);
  const fault = reading?.check(body) ?? (typeof due === 'string' ? due : null);
  if (fault !== null) {
    intakeService.refuse(intake, `The sender's protocol does not allow this: ${fault}.`, {
      request: stored,
      notes,
    });
    return { kind: 'refused', code: 'VALIDATION_ERROR', reason: fault, headers: {} };
  }
  const result = await intakeService
    .ingest({
      intake,
      parsed: interpret(intake, body, presets),
      replayKey: proof.replayKey,
      request: stored,
      notes,
      requestId: request.requestId,
      ...(typeof due === 'number' || due === null ? { dueAt: due } : {}),
    })
    .catch(throwFullAsUnavailable);
  return { kind: 'ingested', result, body, dueAt: typeof due === 'number' ? due : null };
}

/** The headers that a preset reads; the parameters of the query that it knows count as headers. */
function headersOf(
  { headers, query }: HttpRequest,
  preset: Preset | undefined,
  reading: Reading | null,
): Record<string, string> {
  const given = Object.entries(query).map(([name, value]) => [name.toLowerCase(), value] as const);
  const known = given.filter(([name]) => preset?.parameters?.includes(name) === true);
  const { [PROTOCOL_HEADER]: _, ...sent } = headers;
  const named = preset?.parameters?.filter((name) => sent[name] !== undefined) ?? [];
  const texts = named.map((name) => [name, fromBytes(sent[name] ?? '')] as const);
  return {
    ...Object.fromEntries(known),
    ...sent,
    ...Object.fromEntries(texts),
    ...filled({ [PROTOCOL_HEADER]: reading?.preset }),
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
  throw new QinboxError('SERVICE_UNAVAILABLE', message, { refusal: 'quota', retryAfterSeconds });
}

function unreadable(request: HttpRequest, { code, reason }: Unreadable): Reception {
  const isEncoding = code === 'UNSUPPORTED_MEDIA_TYPE' && request.headers['content-encoding'] !== undefined;
  const headers = isEncoding ? { 'accept-encoding': ACCEPTED_ENCODINGS } : {};
  return { kind: 'refused', code, reason, headers };
}

function unproven(scheme: Scheme | null): Reception {
  const headers = filled({ 'www-authenticate': scheme?.challenge });
  return { kind: 'refused', code: 'UNAUTHORIZED', reason: NOT_PROVEN, headers };
}
