// Sends requests to addresses that users name. The target is checked when the socket connects, so that no
// name, spelling or redirect leads inside; redirects are not followed.
import type { AddressCheck } from '../domain/outside.ts';

export interface OutgoingRequest {
  /** `https://…` or `http://…`. */
  url: string;
  headers: Readonly<Record<string, string>>;
  body: string | Uint8Array;
  /** For all of it: name, connection, answer. */
  timeoutMs: number;
}

export type OutgoingAnswer =
  /**
   * Any status, redirects as well. `body` is the beginning of the answer as text: a slow or endless rest is
   * not waited for. Names of headers are in lower case.
   */
  | { kind: 'answered'; status: number; headers: Readonly<Record<string, string>>; body: string }
  /** It was not sent: the address is one of the inside, or no address of the web. Trying again is no use. */
  | { kind: 'refused'; reason: string }
  /**
   * No answer: the name, the connection, TLS, or the time. The reason is for logs and for its owner.
   * `isSent`: all of the request had left, so that it may have been taken all the same.
   */
  | { kind: 'failed'; reason: string; isSent: boolean };

export interface Outgoing {
  /** Whether it connects to an address: what was named may lead to another, which is checked as well. */
  mayReach: AddressCheck;
  /** Sends a POST. Never rejects. */
  post(request: OutgoingRequest): Promise<OutgoingAnswer>;
  /** Ends what is under way, and the open connections. Twice is fine. */
  close(): Promise<void>;
}
