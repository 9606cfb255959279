// A protocol of another hub, as far as its published clients need it: where they carry the token, what they
// take for success, and for failure. Everything else is an intake's.
import { ERROR_TABLE, QinboxError } from '#core/errors.ts';
import { filled } from '#core/domain/filled.ts';
import type { HttpRequest, HttpResponse } from '#core/ports/adapter/http.ts';
import type { DeliveryResult } from '#core/ports/adapter/intake.ts';
import type { Body } from '../decode/body.ts';

/** A delivery that is durable. */
export interface Delivered {
  request: HttpRequest;
  /** Decoded, without credentials. */
  body: Body;
  result: DeliveryResult;
  /** The same for a repeat of the delivery; letters and digits, at least 12. */
  id: string;
  /** The id of the task that it made or repeats; of the delivery where there is none. */
  about: string;
  intakeId: string;
  /** In milliseconds: now, or when it is due. */
  at: number;
}

/** A request that is not taken. */
export interface Refusal {
  request: HttpRequest;
  status: number;
  /** For the sender; no credential in it. */
  reason: string;
}

export interface Protocol {
  /** Lower-case; switches it off. */
  id: string;
  title: string;
  /** From the server's root, `:name` for parameters. */
  routes: readonly { methods: readonly string[]; path: string; dropLimit?: number }[];
  /** Id of the preset that reads its payloads. */
  preset: string | ((request: HttpRequest) => string);
  /** Where its clients carry the token; empty when there is none. */
  token(request: HttpRequest): string;
  /** What to paste into a tool; `short` is the token's short form. */
  setting(hub: { url: string; token: string; short: string }): { address: string; key?: string };
  /** The request as its preset reads it, where the body does not say all. */
  prepare?(request: HttpRequest): HttpRequest;
  /** Why the hub itself would refuse the payload, in its words; null when it would not. */
  check?(body: Body): string | null;
  /** When it is due, in milliseconds, or null for now; or why the hub would refuse that. */
  due?: (body: Body, now: number) => Promise<number | string | null>;
  /** Its addresses may be anybody's: without a token, nothing is there. */
  sharesAddresses?: true;
  /** Answers what is no delivery; null for the others. */
  answer?(request: HttpRequest): HttpResponse | null;
  accepted(delivered: Delivered): HttpResponse;
  refused(refusal: Refusal): HttpResponse;
}

/** The answer, or a fault in the hub's words, with when to come back. */
export async function answerOr<T>(
  answer: () => Promise<T>,
  refused: (status: number, reason: string) => HttpResponse,
): Promise<T | HttpResponse> {
  try {
    return await answer();
  } catch (fault) {
    if (!(fault instanceof QinboxError)) throw fault;
    const { code, message, retryAfterSeconds } = fault;
    const refusal = refused(ERROR_TABLE[code].http, message);
    const retry = filled({ 'retry-after': retryAfterSeconds?.toString() });
    return { ...refusal, headers: { ...retry, ...refusal.headers }, fault };
  }
}

/** The token after `Authorization: Bearer`, or the password of Basic; empty for neither. */
export function credentialOf(authorization: string | undefined): string {
  const [, scheme = '', given = ''] = /^(\w+)\s+(\S{1,500})$/.exec(authorization?.trim() ?? '') ?? [];
  if (scheme.toLowerCase() === 'basic') {
    const text = Buffer.from(given, 'base64').toString('utf8');
    return text.slice(text.indexOf(':') + 1);
  }
  return scheme === '' ? '' : given;
}
