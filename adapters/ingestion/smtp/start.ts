// Starts the mail server and stops it. Loaded only where mail is served.
import type { RunningAdapter } from '#core/ports/adapter/adapter.ts';
import type { AdapterContext, AdapterState } from '#core/ports/adapter/context.ts';
import { readCertificate, watchCertificate, type CertificateFiles } from './server/certificate.ts';
import { createDelivery } from './server/delivery.ts';
import { sharedReader } from './parse/mail-reader.ts';
import { createServer } from './server/server.ts';
import { createVerdicts } from './sender-checks/checker.ts';

export interface MailPlace extends CertificateFiles {
  port: number;
  host: string;
}

const NO_ADDRESS = 'this is not an address of this machine';
/** Why a port cannot be listened on, by the code of the error. */
const FAULTS: Readonly<Record<string, string>> = {
  EADDRINUSE: 'it is taken',
  EACCES: 'it may not be used',
  EADDRNOTAVAIL: NO_ADDRESS,
  ENOTFOUND: NO_ADDRESS,
  EAI_AGAIN: NO_ADDRESS,
};

/** Throws ConfigError for a wrong certificate. A port that cannot be used shows in the state. */
export async function startMail(
  place: MailPlace,
  { settings, clock, log, meter, intakeService }: Omit<AdapterContext, 'config'>,
): Promise<RunningAdapter> {
  const tls = readCertificate(place);
  const { smtpDomain } = settings;
  const verdicts = createVerdicts();
  const deliver = createDelivery({ intakeService, reader: sharedReader(), verdicts, smtpDomain, log });
  const counted = meter.counter(
    'mail_total',
    'Mails that were accepted, and mails and recipients that were refused or put off.',
    'outcome',
  );
  const server = createServer({
    intakeService,
    deliver,
    clock,
    log,
    smtpDomain,
    onReply(code) {
      counted(code < 400 ? 'accepted' : code < 500 ? 'deferred' : 'refused');
    },
    ...(tls === null ? {} : { tls }),
  });
  const unwatch = watchCertificate(place, tls, (renewed) => server.useCertificate(renewed), log);
  meter.gauge('mail_connections', 'Open connections of senders of mail.', () => server.connections());
  const { port, host } = place;
  let state: AdapterState;
  try {
    state = { ok: true, detail: `listening on ${host} port ${await server.listen(port, host)}` };
  } catch (error) {
    const { code = '', message } = error as NodeJS.ErrnoException;
    const why = FAULTS[code];
    state = {
      ok: false,
      detail: `no mail: port ${port} of ${host} cannot be listened on (${why ?? message})`,
    };
    // Where the operator knows from the reason what to do, a stack would only hide it.
    const reason = why === undefined ? { err: error } : { reason: why };
    log.warn({ ...reason, port, host }, 'mail is not served: the port cannot be listened on');
  }
  return {
    state: () => state,
    async stop() {
      unwatch();
      await server.stop();
      await verdicts.close();
    },
  };
}
