// A push service of the test's own, over TLS: it takes what a server sends to browsers, checks who sends, and
// decrypts it as the browser would.
import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:https';
import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { importJWK, jwtVerify, type JWTPayload } from 'jose';
import { createSubscriptionKeys } from '#test/helpers/push-keys.ts';
import { temporaryFolder } from '#test/program/program.ts';
import { waitFor } from '#test/program/wait.ts';

/** What a push says. */
export interface Pushed {
  web_push?: number;
  notification?: {
    title: string;
    body?: string;
    navigate: string;
    tag: string;
    silent?: boolean;
    actions?: { action: string; navigate: string }[];
    data: { kind: string; id?: string };
  };
  kind?: string;
  ids?: string[];
  summary?: boolean;
  app_badge: number;
}

export interface Received {
  message: Pushed;
  headers: IncomingHttpHeaders;
  /** Of the token that the server proved itself with. */
  claims: JWTPayload;
  /** How it was answered; null while it is not. */
  status: number | null;
  /** When all of it was here, by `performance.now()`. */
  at: number;
}

/** How a push service answers. */
export interface Answer {
  status: number;
  headers?: Record<string, string>;
  /** The answer waits for it. */
  after?: Promise<void>;
}

export interface TestBrowser {
  endpoint: string;
  keys: { p256dh: string; auth: string };
  /** What came, in order; also what was not answered 201. */
  received: Received[];
  /** Answers of the next pushes; then 201. */
  answers: Answer[];
  /** The first that matches among those that came, or come. */
  next(what: string, matches?: (message: Pushed) => boolean): Promise<Received>;
}

export interface PushService {
  /** The certificate that a server must trust. */
  certificate: string;
  browser(): TestBrowser;
  close(): Promise<void>;
}

/** Starts one. */
export async function startPushService(): Promise<PushService> {
  const folder = temporaryFolder('push-service');
  const [key, cert] = [join(folder.path, 'key.pem'), join(folder.path, 'cert.pem')];
  const curve = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes'];
  const subject = ['-subj', '/CN=push.test', '-addext', 'subjectAltName=IP:127.0.0.1'];
  execFileSync('openssl', ['req', '-x509', ...curve, '-keyout', key, '-out', cert, ...subject], {
    stdio: 'ignore',
  });
  const browsers = new Map<string, { browser: TestBrowser; decrypt: (body: Buffer) => string }>();
  const tls = { key: readFileSync(key), cert: readFileSync(cert) };
  const server = createServer(tls, (request, response) => {
    take(request, response).catch((error: unknown) => response.writeHead(400).end(String(error)));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const origin = `https://127.0.0.1:${(server.address() as AddressInfo).port}`;

  async function take(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = [];
    for await (const chunk of request as AsyncIterable<Buffer>) chunks.push(chunk);
    const at = performance.now();
    const { headers } = request;
    const known = browsers.get(request.url ?? '');
    if (known === undefined) return void response.writeHead(404).end();
    if (headers['content-encoding'] !== 'aes128gcm') throw new Error('not encrypted');
    const claims = await claimsOf(headers.authorization ?? '', origin);
    const message = JSON.parse(known.decrypt(Buffer.concat(chunks))) as Pushed;
    const one: Received = { message, headers, claims, at, status: null };
    known.browser.received.push(one);
    const { status, headers: more = {}, after } = known.browser.answers.shift() ?? { status: 201 };
    await after;
    one.status = status;
    response.writeHead(status, more).end();
  }

  return {
    certificate: cert,
    browser() {
      const { keys, decrypt } = createSubscriptionKeys();
      const path = `/send/${browsers.size}`;
      const received: Received[] = [];
      const browser: TestBrowser = {
        endpoint: origin + path,
        keys,
        received,
        answers: [],
        next: (what, matches = () => true) =>
          waitFor(what, () => received.find(({ message }) => matches(message)) ?? null),
      };
      browsers.set(path, { browser, decrypt });
      return browser;
    },
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
      folder.remove();
    },
  };
}

/** The claims of the sender, whose key is beside them (RFC 8292); throws when they do not hold. */
async function claimsOf(authorization: string, origin: string): Promise<JWTPayload> {
  const [, token = '', key = ''] = /^vapid t=([^,]+), k=(.+)$/.exec(authorization) ?? [];
  const point = Buffer.from(key, 'base64url');
  const [x = '', y = ''] = [point.subarray(1, 33), point.subarray(33)].map((part) =>
    part.toString('base64url'),
  );
  const publicKey = await importJWK({ kty: 'EC', crv: 'P-256', x, y }, 'ES256');
  const { payload } = await jwtVerify(token, publicKey, {
    audience: origin,
    algorithms: ['ES256'],
    requiredClaims: ['exp', 'sub'],
  });
  if ((payload.exp ?? Infinity) > Date.now() / 1000 + 24 * 3600) throw new Error('good for too long');
  return { ...payload, key };
}
