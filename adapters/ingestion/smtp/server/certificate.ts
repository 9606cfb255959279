// The certificate for STARTTLS: read at the start, which a wrong one stops, and again every hour.
import { createPrivateKey, X509Certificate } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createSecureContext } from 'node:tls';
import { ConfigError } from '#core/config-error.ts';
import type { Log } from '#core/ports/log.ts';

const RELOAD_MS = 60 * 60_000;

/** Contents of PEM files. */
export interface Certificate {
  key: Buffer;
  cert: Buffer;
}

/** Their paths. */
export interface CertificateFiles {
  tlsKey: string | null;
  tlsCert: string | null;
}

/** Throws ConfigError for files that are missing or do not match; null when none are named. */
export function readCertificate({ tlsKey, tlsCert }: CertificateFiles): Certificate | null {
  if (tlsKey === null && tlsCert === null) return null;
  if (tlsKey === null) throw new ConfigError('SMTP_TLS_KEY', 'must be set, because SMTP_TLS_CERT is');
  if (tlsCert === null) throw new ConfigError('SMTP_TLS_CERT', 'must be set, because SMTP_TLS_KEY is');
  const [key, cert] = [readPem('SMTP_TLS_KEY', tlsKey), readPem('SMTP_TLS_CERT', tlsCert)];
  const certificate = parsed(() => new X509Certificate(cert));
  if (certificate === null) throw new ConfigError('SMTP_TLS_CERT', `must be a PEM certificate: ${tlsCert}`);
  const privateKey = parsed(() => createPrivateKey(key));
  if (privateKey === null)
    throw new ConfigError('SMTP_TLS_KEY', `must be a private key as PEM, without a password: ${tlsKey}`);
  // A secure context takes a key of one kind beside a certificate of another; the first sender would fail.
  if (!certificate.checkPrivateKey(privateKey) || parsed(() => createSecureContext({ key, cert })) === null)
    throw new ConfigError('SMTP_TLS_CERT', 'must be the certificate of the key in SMTP_TLS_KEY');
  return { key, cert };
}

/** When it ends, in milliseconds. */
export function endOf({ cert }: Certificate): number {
  return new X509Certificate(cert).validToDate.getTime();
}

function parsed<T>(read: () => T): T | null {
  try {
    return read();
  } catch {
    return null;
  }
}

/** Calls `use` with each renewed certificate; after an unusable one the old one stays. Returns its stop. */
export function watchCertificate(
  files: CertificateFiles,
  first: Certificate | null,
  use: (certificate: Certificate) => void,
  log: Pick<Log, 'info' | 'warn'>,
  everyMs = RELOAD_MS,
): () => void {
  if (first === null) return () => {};
  let current = first;
  const timer = setInterval(() => {
    try {
      const read = readCertificate(files);
      if (read === null || (read.cert.equals(current.cert) && read.key.equals(current.key))) return;
      use(read);
      current = read;
      log.info({}, 'the certificate for mail was renewed');
    } catch (error) {
      log.warn({ err: error }, 'the renewed certificate for mail cannot be used; the old one stays');
    }
  }, everyMs);
  timer.unref();
  return () => clearInterval(timer);
}

function readPem(variable: string, path: string): Buffer {
  try {
    return readFileSync(path);
  } catch {
    throw new ConfigError(variable, `must be a readable file: ${path}`);
  }
}
