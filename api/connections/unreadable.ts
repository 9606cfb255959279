// Answers bytes that the HTTP parser refuses with the same body as other errors.
import { METHODS } from 'node:http';
import type { Socket } from 'node:net';
import { randomCharacters } from '#core/domain/ids.ts';
import { QinboxError } from '#core/errors.ts';
import { errorBody } from '../plugins/errors.ts';
import { mayTakeLonger } from './long-bodies.ts';

/** An error of the HTTP parser. */
type ParserError = Error & { code?: string; rawPacket?: unknown };

const TOO_SLOW = 'ERR_HTTP_REQUEST_TIMEOUT';
const TOO_LARGE = new QinboxError('VALIDATION_ERROR', 'The request headers are too large.');
const INVALID = new QinboxError('VALIDATION_ERROR', 'This is not a valid HTTP request.');
const UNKNOWN_METHOD = new QinboxError('METHOD_NOT_ALLOWED', 'There is no such method.');
/** The methods of all addresses: the parser gave up before it read the address. */
const ALLOW = 'GET, HEAD, POST, PUT, PATCH, DELETE';
const REQUEST_LINE = /^(?<method>[\w!#$%&'*+.^`|~-]+) \S+ HTTP\/1\.[01]\r?\n/;

/** Answers and ends the connection, unless it only is slow and may be. */
export function answerUnreadable(error: ParserError, socket: Socket): void {
  if (error.code === 'ECONNRESET' || socket.destroyed || !socket.writable) return;
  if (error.code === TOO_SLOW && mayTakeLonger(socket, () => answer(error, socket))) return;
  answer(error, socket);
}

function answer(error: ParserError, socket: Socket): void {
  const [status, fault] = verdictOn(error);
  answerByHand(socket, status, fault, fault === UNKNOWN_METHOD ? [`allow: ${ALLOW}`] : []);
}

/** Answers without the HTTP server, and closes the connection, even when the client does not. */
export function answerByHand(
  socket: Socket,
  status: string,
  fault: QinboxError,
  headers: readonly string[] = [],
): void {
  const body = JSON.stringify(errorBody(fault, randomCharacters(16)));
  const lines = [
    `HTTP/1.1 ${status}`,
    'content-type: application/json; charset=utf-8',
    `content-length: ${Buffer.byteLength(body)}`,
    ...(fault.retryAfterSeconds === undefined ? [] : [`retry-after: ${fault.retryAfterSeconds}`]),
    ...headers,
    'connection: close',
  ];
  socket.end(`${lines.join('\r\n')}\r\n\r\n${body}`);
  socket.destroySoon();
}

function verdictOn(error: ParserError): [status: string, fault: QinboxError] {
  if (error.code === TOO_SLOW) return ['408 Request Timeout', new QinboxError('REQUEST_TIMEOUT')];
  if (error.code === 'HPE_HEADER_OVERFLOW') return ['431 Request Header Fields Too Large', TOO_LARGE];
  if (namesUnknownMethod(error)) return ['405 Method Not Allowed', UNKNOWN_METHOD];
  return ['400 Bad Request', INVALID];
}

function namesUnknownMethod({ code, rawPacket }: ParserError): boolean {
  if (code !== 'HPE_INVALID_METHOD' || !Buffer.isBuffer(rawPacket)) return false;
  const method = REQUEST_LINE.exec(rawPacket.toString('latin1'))?.groups?.['method'];
  return method !== undefined && !METHODS.includes(method);
}
