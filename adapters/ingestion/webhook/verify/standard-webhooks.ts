// Standard Webhooks 1.0.0 (standardwebhooks.com): id, time and body signed together, symmetric (v1) or with a
// public key (v1a).
import { createPublicKey, verify as verifySignature, type KeyObject } from 'node:crypto';
import { Type } from 'typebox';
import { keyOfId, secretFields, secretsOf, signatureBytes, signedBy, staleness } from './checks.ts';
import { MISMATCH, missing, refuse, type Delivery, type Proof, type Scheme } from './scheme.ts';

/** Signatures in one header that are looked at. */
const MAX_SIGNATURES = 10;
/** Bytes of a new key; the standard asks for 24, and some senders make shorter ones. */
const MIN_KEY_BYTES = 16;

export const standardWebhooks: Scheme = {
  id: 'standard-webhooks',
  title: 'Standard Webhooks',
  description:
    'webhook-id, webhook-timestamp and webhook-signature, as OpenAI, Supabase, GitLab 19, Svix and others sign.',
  fields: Type.Object(
    secretFields('Secret', "Begins with whsec_; or the sender's public key, which begins with whpk_."),
  ),
  check: checkStandard,
  verify: verifyStandard,
};

/** Refuses keys that were cut off or are easy to guess. */
export function checkStandard({ secrets }: Pick<Delivery, 'secrets'>): { field: string; message: string }[] {
  const cut = Object.entries(secrets).filter(([, secret]) => !isWhole(secret));
  return cut.map(([field, secret]) => ({ field, message: askForWhole(secret) }));
}

function isWhole(secret: string): boolean {
  if (secret.startsWith('whpk_')) return publicKey(secret) !== null;
  return !secret.startsWith('whsec_') || decodedKey(secret.slice('whsec_'.length), MIN_KEY_BYTES).length > 0;
}

function askForWhole(secret: string): string {
  return secret.startsWith('whpk_')
    ? 'Must be a whole public key: whpk_ and 44 characters of base64. Copy it from the sender again.'
    : `Must be a whole secret: whsec_ and base64 of at least ${MIN_KEY_BYTES} bytes. Copy it from the sender again.`;
}

/** Verifies by the headers of Standard Webhooks, or by Svix's older names for them. */
export function verifyStandard(delivery: Delivery): Proof {
  const { headers, body, now } = delivery;
  const family =
    headers['webhook-signature'] === undefined && headers['svix-signature'] !== undefined
      ? 'svix'
      : 'webhook';
  const id = headers[`${family}-id`];
  const timestamp = headers[`${family}-timestamp`]?.trim();
  const header = headers[`${family}-signature`];
  if (id === undefined || id === '') return missing(`${family}-id`);
  if (timestamp === undefined || timestamp === '') return missing(`${family}-timestamp`);
  if (header === undefined || header.trim() === '') return missing(`${family}-signature`);

  const given = header
    .split(/[\s,]+(?=v1a?,)/)
    .slice(0, MAX_SIGNATURES)
    .map((part) => part.trim());
  const symmetric = given
    .filter((part) => part.startsWith('v1,'))
    .flatMap((part) => signatureBytes(part.slice(3), 'base64') ?? []);
  const asymmetric = given
    .filter((part) => part.startsWith('v1a,'))
    .map((part) => Buffer.from(part.slice(4), 'base64'));
  const secrets = secretsOf(delivery);
  const prefix = `${id}.${timestamp}.`;
  const proven =
    signedBy(secrets.flatMap(symmetricKeys), symmetric, [prefix, body]) ||
    secrets.some((secret) =>
      signedByPublicKey(publicKey(secret), asymmetric, Buffer.concat([Buffer.from(prefix), body])),
    );
  if (!proven) return refuse(MISMATCH);
  const stale = staleness(timestamp, now);
  // The id is signed and stays through retries, so it is the key.
  return stale === null ? { ok: true, replayKey: keyOfId(id) } : refuse(stale);
}

/** The keys of a secret; one without whsec_ is tried as text and, where it is base64, as its bytes. */
function symmetricKeys(secret: string): (string | Buffer)[] {
  if (secret.startsWith('whpk_')) return [];
  if (secret.startsWith('whsec_')) return decodedKey(secret.slice('whsec_'.length), 1);
  return [secret, ...decodedKey(secret, 16)];
}

function decodedKey(text: string, leastBytes: number): Buffer[] {
  if (!/^[\w+/-]+={0,2}$/.test(text)) return [];
  const key = Buffer.from(text, 'base64');
  return key.length < leastBytes ? [] : [key];
}

function publicKey(secret: string): KeyObject | null {
  if (!secret.startsWith('whpk_')) return null;
  const bytes = Buffer.from(secret.slice('whpk_'.length), 'base64');
  if (bytes.length !== 32) return null;
  try {
    const key = { kty: 'OKP', crv: 'Ed25519', x: bytes.toString('base64url') };
    return createPublicKey({ key, format: 'jwk' });
  } catch {
    return null;
  }
}

function signedByPublicKey(key: KeyObject | null, signatures: readonly Buffer[], signed: Buffer): boolean {
  return (
    key !== null &&
    signatures.some((signature) => signature.length === 64 && verifySignature(null, signed, key, signature))
  );
}
