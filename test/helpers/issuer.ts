// A local OpenID issuer with real RS256 keys, published over real HTTP, for tests of Google sign-in.
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import {
  exportJWK,
  generateKeyPair,
  SignJWT,
  type CryptoKey,
  type JWTHeaderParameters,
  type JWTPayload,
} from 'jose';

export interface Issuer {
  url: string;
  jwksUrl: string;
  clientId: string;
  /** An ID token; a claim of `undefined` is left out. */
  token(now: number, claims?: JWTPayload, header?: Partial<JWTHeaderParameters>): Promise<string>;
  /** The public key in use, as its JWK's JSON: what a confused verifier would take for an HMAC secret. */
  publicJwk(): string;
  /** Changes to a new key under a new id, as real issuers do. */
  rotate(): Promise<void>;
  /** How often the key set was asked for. */
  fetches(): number;
  stop(): Promise<void>;
}

export async function startIssuer(clientId = 'qinbox.apps.example'): Promise<Issuer> {
  let number = 0;
  let key: CryptoKey;
  let jwk = {};
  let fetches = 0;
  const rotate = async () => {
    const pair = await generateKeyPair('RS256');
    key = pair.privateKey;
    jwk = { ...(await exportJWK(pair.publicKey)), kid: `key-${++number}`, alg: 'RS256', use: 'sig' };
  };
  await rotate();
  const server = createServer((_request, response) => {
    fetches++;
    response.setHeader('content-type', 'application/json').end(JSON.stringify({ keys: [jwk] }));
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;

  return {
    url,
    jwksUrl: `${url}/jwks`,
    clientId,
    publicJwk: () => JSON.stringify(jwk),
    token: (now, claims = {}, header = {}) =>
      new SignJWT({
        iss: url,
        aud: clientId,
        sub: '1234567890',
        email: 'Ann@example.com',
        email_verified: true,
        name: 'Ann Example',
        picture: 'https://pictures.example/ann.png',
        iat: Math.floor(now / 1000),
        exp: Math.floor(now / 1000) + 3600,
        ...claims,
      })
        .setProtectedHeader({ alg: 'RS256', kid: `key-${number}`, ...header })
        .sign(key),
    rotate,
    fetches: () => fetches,
    stop: () =>
      new Promise<void>((done) => {
        server.close(() => done());
        server.closeAllConnections();
      }),
  };
}
