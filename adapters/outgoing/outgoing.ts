// Sends requests to the addresses that users name, over connections that stay open, by Node's own client.
import { request as httpRequest, type IncomingMessage, type RequestOptions } from 'node:http';
import { request as httpsRequest } from 'node:https';
import type { Outgoing, OutgoingAnswer, OutgoingRequest } from '#core/ports/outgoing.ts';
import { failureText } from './failure-text.ts';
import { AddressRefused, createGuardedAgents, type GuardOptions } from './guarded-agent.ts';

/** Connections in all, and those to one host. */
const MAX_SOCKETS = 256;
const MAX_SOCKETS_PER_HOST = 64;
const MAX_IDLE_PER_HOST = 8;
/** How much of an answer is read. */
const MAX_ANSWER_BYTES = 4096;

/** Answers of more headers than this are no answers. */
const MAX_HEADER_BYTES = 16_384;

export function createOutgoing(options: GuardOptions): Outgoing {
  const agents = createGuardedAgents(options, {
    keepAlive: true,
    maxTotalSockets: MAX_SOCKETS,
    maxSockets: MAX_SOCKETS_PER_HOST,
    maxFreeSockets: MAX_IDLE_PER_HOST,
    scheduling: 'lifo',
  });
  const closing = new AbortController();

  return {
    mayReach: options.mayReach,
    post: (wanted) => send(wanted, agents, closing.signal),
    async close() {
      closing.abort();
      agents.destroy();
    },
  };
}

type Agents = ReturnType<typeof createGuardedAgents>;

function send(wanted: OutgoingRequest, agents: Agents, closing: AbortSignal): Promise<OutgoingAnswer> {
  const { headers, body, timeoutMs } = wanted;
  const url = URL.parse(wanted.url);
  const isHttps = url?.protocol === 'https:';
  if (url === null || (!isHttps && url.protocol !== 'http:'))
    return Promise.resolve({ kind: 'refused', reason: 'This is no address that begins with https://.' });
  const options: RequestOptions = {
    method: 'POST',
    headers: { ...headers, 'content-length': Buffer.byteLength(body) },
    agent: isHttps ? agents.https : agents.http,
    signal: AbortSignal.any([AbortSignal.timeout(timeoutMs), closing]),
    maxHeaderSize: MAX_HEADER_BYTES,
  };
  return new Promise((resolve) => {
    let hasStatus = false;
    let isSent = false;
    const request = (isHttps ? httpsRequest : httpRequest)(url, options, (response) => {
      hasStatus = true;
      void readBeginning(response).then((text) => resolve(answered(response, text)));
    });
    // 101, which nobody asked for: without a listener Node ends the connection and tells neither of an answer
    // nor of an error.
    request.on('upgrade', (response, socket) => {
      socket.destroy();
      resolve(answered(response, ''));
    });
    request.on('finish', () => {
      isSent = true;
    });
    request.on('error', (error) => {
      if (!hasStatus) resolve(faultOf(error, { timeoutMs, isSent }));
    });
    request.end(body);
  });
}

/** The beginning of the body; what comes after it, or too late, is not read. */
async function readBeginning(response: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  try {
    for await (const chunk of response as AsyncIterable<Buffer>) {
      chunks.push(chunk);
      bytes += chunk.length;
      // Leaving the loop closes the connection.
      if (bytes >= MAX_ANSWER_BYTES) break;
    }
  } catch {
    // The status came; the time was up before the rest did, or the connection broke.
  }
  return Buffer.concat(chunks).subarray(0, MAX_ANSWER_BYTES).toString('utf8');
}

function answered({ statusCode = 0, headers }: IncomingMessage, body: string): OutgoingAnswer {
  const texts = Object.entries(headers).map(([name, value]) => [name, String(value)] as const);
  return { kind: 'answered', status: statusCode, headers: Object.fromEntries(texts), body };
}

function faultOf(
  error: Error,
  { timeoutMs, isSent }: { timeoutMs: number; isSent: boolean },
): OutgoingAnswer {
  if (error instanceof AddressRefused) return { kind: 'refused', reason: error.message };
  if (error.name === 'AbortError' || error.name === 'TimeoutError')
    return { kind: 'failed', reason: `No answer within ${timeoutMs / 1000} seconds.`, isSent };
  return { kind: 'failed', reason: failureText(error), isSent };
}
