// HMAC-SHA256 (RFC 2104) over the body, or over a timestamp and the body, in a header that can be named.
import { Type } from 'typebox';
import {
  headerOf,
  keyOfBytes,
  secretFields,
  secretsOf,
  signatureBytes,
  signedBy,
  staleness,
  textOption,
  type Encoding,
} from './parts.ts';
import { MISMATCH, missing, refuse, type Delivery, type Proof, type Scheme } from './scheme.ts';

/** Signatures in one header that are looked at. */
const MAX_SIGNATURES = 10;

const headerPattern = "^[A-Za-z0-9!#$%&'*+.^_`|~-]*$";

export const hmacSha256: Scheme = {
  id: 'hmac-sha256',
  title: 'HMAC-SHA256',
  description:
    'A signature of the body in a header, for your own scripts and for senders without a scheme of their own here.',
  fields: Type.Object({
    ...secretFields('Secret', 'The key of the HMAC, as the sender has it.'),
    header: Type.Optional(
      Type.String({
        title: 'Signature header',
        default: 'X-Signature-256',
        maxLength: 100,
        pattern: headerPattern,
      }),
    ),
    encoding: Type.Optional(
      Type.Enum(['hex', 'base64', 'base64url'], { title: 'Written as', default: 'hex' }),
    ),
    prefix: Type.Optional(
      Type.String({
        title: 'Prefix',
        description: 'What stands before the signature, for example sha256=. Empty for nothing.',
        default: '',
        maxLength: 50,
      }),
    ),
    timestampHeader: Type.Optional(
      Type.String({
        title: 'Timestamp header',
        description:
          'The header with the Unix time that is signed before the body; older or newer than 5 minutes is refused. Empty when the body alone is signed.',
        default: '',
        maxLength: 100,
        pattern: headerPattern,
      }),
    ),
    signed: Type.Optional(
      Type.Enum(['{timestamp}.{body}', '{timestamp}:{body}'], {
        title: 'What is signed',
        description: 'With a timestamp header: how time and body are joined.',
        default: '{timestamp}.{body}',
      }),
    ),
  }),
  verify(delivery) {
    const { options } = delivery;
    return verifyHmac(delivery, {
      header: textOption(options, 'header', 'x-signature-256'),
      encoding: encodingOf(options['encoding']),
      prefix: textOption(options, 'prefix'),
      timestampHeader: textOption(options, 'timestampHeader'),
      separator: options['signed'] === '{timestamp}:{body}' ? ':' : '.',
      repeats: false,
      several: true,
    });
  },
};

function encodingOf(option: unknown): Encoding {
  return option === 'base64' || option === 'base64url' ? option : 'hex';
}

/** Where an HMAC is and what it covers. */
export interface HmacShape {
  header: string;
  encoding: Encoding;
  prefix: string;
  /** Whether the header may have several, separated by commas. */
  several?: boolean;
  /** Empty when the body alone is signed. */
  timestampHeader: string;
  separator: '.' | ':';
  /** Whether the sender repeats a body that means something new; then nothing but a signed time tells a replay. */
  repeats: boolean;
}

/** Judges a delivery by an HMAC of this shape. */
export function verifyHmac(delivery: Delivery, shape: HmacShape): Proof {
  const header = shape.header.toLowerCase();
  const given = headerOf(delivery.headers, header)?.trim();
  if (given === undefined || given === '') return missing(header);
  // While a secret is being changed, PagerDuty and others sign with both: `v1=…,v1=…`.
  const signatures = (shape.several === true ? given.split(',', MAX_SIGNATURES) : [given])
    .map((part) => part.trim())
    .filter((part) => part.startsWith(shape.prefix))
    .flatMap((part) => signatureBytes(part.slice(shape.prefix.length), shape.encoding) ?? []);
  if (signatures.length === 0) {
    const prefixed = shape.prefix === '' ? '' : ` after ${shape.prefix}`;
    return refuse(`The header ${header} has no SHA-256 signature in ${shape.encoding}${prefixed}.`);
  }
  const keys = secretsOf(delivery);

  if (shape.timestampHeader === '') {
    if (!signedBy(keys, signatures, [delivery.body])) return refuse(MISMATCH);
    // Nothing but the body is signed, so the body is what a replay under a new id has in common with the first.
    return { ok: true, replayKey: shape.repeats ? null : keyOfBytes(delivery.body) };
  }
  const timestampHeader = shape.timestampHeader.toLowerCase();
  const timestamp = headerOf(delivery.headers, timestampHeader)?.trim();
  if (timestamp === undefined || timestamp === '') return missing(timestampHeader);
  const prefix = timestamp + shape.separator;
  if (!signedBy(keys, signatures, [prefix, delivery.body])) return refuse(MISMATCH);
  const stale = staleness(timestamp, delivery.now);
  if (stale !== null) return refuse(stale);
  // The same body signed at another time is a new event: only the sender could sign it.
  return { ok: true, replayKey: keyOfBytes(prefix, delivery.body) };
}
