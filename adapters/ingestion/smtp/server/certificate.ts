// The certificate for STARTTLS: read at the start, which a wrong one stops, and again every hour.
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
  try {
    createSecureContext({ key, cert });
  } catch {
    throw new ConfigError('SMTP_TLS_CERT', 'must be a PEM certificate, and that of the key in SMTP_TLS_KEY');
  }
  return { key, cert };
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
