// Checks one message with mailauth, in the thread of worker.ts. Tests give a resolver with their own DNS.
import { authenticate, type AuthenticateResult, type DNSResolver } from 'mailauth';
import type { Evidence, Verdicts } from './verdicts.ts';

/** Shorter RSA keys than this prove nothing (RFC 8301). */
const MIN_KEY_BITS = 1024;

/** The verdicts on a message. Rejects only when mailauth itself is at fault. */
export async function checkMessage(
  { raw, ip, helo, sender }: Evidence,
  resolver: DNSResolver,
): Promise<Verdicts> {
  const result = await authenticate(Buffer.from(raw.buffer, raw.byteOffset, raw.byteLength), {
    ...(ip === null ? {} : { ip, helo, sender }),
    resolver,
    mta: 'qinbox',
    minBitLength: MIN_KEY_BITS,
    rejectRsaSha1: true,
    disableBimi: true,
  });
  return { ...summary(result), spf: ip === null ? 'none' : resultOf(result.spf) };
}

function summary(result: AuthenticateResult): Verdicts {
  const signatures = result.dkim.results;
  // A signature over a part of the body (l=) vouches for no more than that part.
  const passed = signatures.filter(({ status }) => status.result === 'pass' && !status.underSized);
  const others = signatures.filter((signature) => !passed.includes(signature));
  const results = others.map(({ status }) => (status.underSized ? 'policy' : status.result));
  const failed = results.includes('temperror') ? 'temperror' : (results[0] ?? 'none');
  return {
    spf: 'none',
    dkim: passed.length > 0 ? 'pass' : failed,
    dmarc: dmarcOf(result),
    arc: resultOf(result.arc),
    from: result.dkim.fromFields === 1 ? result.dkim.headerFrom : [],
    dkimAligned: passed.some(({ status }) => typeof status.aligned === 'string'),
  };
}

function dmarcOf({ dmarc }: AuthenticateResult): string {
  if (dmarc === false || dmarc.status.result !== 'pass') return resultOf(dmarc);
  const { spf, dkim } = dmarc.alignment;
  return spf.result === undefined && dkim.underSized ? 'policy' : 'pass';
}

function resultOf(part: { status: { result: string } } | false | null | undefined): string {
  return part === false || part === null || part === undefined ? 'none' : part.status.result;
}
