// HMAC-SHA256 (RFC 2104) over the body, or over a timestamp and the body, in a header that can be named.
import { Type } from 'typebox';
import {
  headerField,
  headerOf,
  keyOfBytes,
  secretFields,
  secretsOf,
  signatureBytes,
  signedBy,
  staleness,
  textOption,
  type Encoding,
} from './checks.ts';
import { MISMATCH, missing, refuse, type Delivery, type Proof, type Scheme } from './scheme.ts';

/** Signatures in one header that are looked at. */
const MAX_SIGNATURES = 10;

export const hmacSha256: Scheme = {
  id: 'hmac-sha256',
  title: 'HMAC-SHA256',
  description:
    'A signature of the body in a header, for your own scripts and for senders without a scheme of their own here.',
  fields: Type.Object({
    ...secretFields('Secret', 'The key of the HMAC, as the sender has it.'),
    header: headerField({ title: 'Signature header', default: 'X-Signature-256' }),
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
    timestampHeader: headerField({
      title: 'Timestamp header',
      description:
        'The header with the Unix time that is signed before the body; older or newer than 5 minutes is refused. Empty when the body alone is signed.',
      default: '',
    }),
    signed: Type.Optional(
      Type.Enum(['{timestamp}.{body}', '{timestamp}:{body}', 'v0:{timestamp}:{body}'], {
        title: 'What is signed',
        description:
          'With a timestamp header: how time and body are joined. The last is that of Zoom and Slack.',
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
      ...signedOf(options['signed']),
      several: true,
    });
  },
};

function signedOf(option: unknown): Pick<HmacShape, 'separator' | 'version'> {
  if (option === 'v0:{timestamp}:{body}') return { version: 'v0:', separator: ':' };
  return { separator: option === '{timestamp}:{body}' ? ':' : '.' };
}

function encodingOf(option: unknown): Encoding {
  return option === 'base64' || option === 'base64url' ? option : 'hex';
}

/** Where an HMAC is and what it covers. */
export interface HmacShape {
  header: string;
  /** `hex` when left out. */
  encoding?: Encoding;
  prefix?: string;
  /** Whether the header may have several, separated by commas. */
  several?: boolean;
  /** Empty or left out when the body alone is signed. */
  timestampHeader?: string;
  separator?: '.' | ':';
  /** What is signed before the time. */
  version?: string;
  /** Whether the sender sends the same body for new events; then only a signed time identifies a replay. */
  repeats?: boolean;
}

/** Judges a delivery by an HMAC of this shape. */
export function verifyHmac(delivery: Delivery, shape: HmacShape): Proof {
  const { encoding = 'hex', prefix: before = '', separator = '.', version = '' } = shape;
  const header = shape.header.toLowerCase();
  const given = headerOf(delivery.headers, header)?.trim();
  if (given === undefined || given === '') return missing(header);
  // While a secret is being changed, PagerDuty and others sign with both: `v1=…,v1=…`.
  const signatures = (shape.several === true ? given.split(',', MAX_SIGNATURES) : [given])
    .map((part) => part.trim())
    .filter((part) => part.startsWith(before))
    .flatMap((part) => signatureBytes(part.slice(before.length), encoding) ?? []);
  if (signatures.length === 0) {
    const prefixed = before === '' ? '' : ` after ${before}`;
    return refuse(`The header ${header} has no SHA-256 signature in ${encoding}${prefixed}.`);
  }
  const keys = secretsOf(delivery);

  const timestampHeader = shape.timestampHeader?.toLowerCase() ?? '';
  if (timestampHeader === '') {
    if (!signedBy(keys, signatures, [delivery.body])) return refuse(MISMATCH);
    // Only the body is signed, so a replay under a new id is recognised by the body.
    return { ok: true, replayKey: shape.repeats === true ? null : keyOfBytes(delivery.body) };
  }
  const timestamp = headerOf(delivery.headers, timestampHeader)?.trim();
  if (timestamp === undefined || timestamp === '') return missing(timestampHeader);
  const prefix = version + timestamp + separator;
  if (!signedBy(keys, signatures, [prefix, delivery.body])) return refuse(MISMATCH);
  const stale = staleness(timestamp, delivery.now);
  if (stale !== null) return refuse(stale);
  // The same body signed at another time is a new event: only the sender could sign it.
  return { ok: true, replayKey: keyOfBytes(prefix, delivery.body) };
}
