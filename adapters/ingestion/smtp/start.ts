// Starts what a mail server is made of and ends it again. Loaded only where mail is served.
import type { RunningAdapter } from '#core/ports/adapter/adapter.ts';
import type { AdapterContext, AdapterState } from '#core/ports/adapter/context.ts';
import { readCertificate, watchCertificate, type CertificateFiles } from './certificate.ts';
import { createDelivery } from './delivery.ts';
import { createReader } from './reader.ts';
import { createServer } from './server.ts';
import { replayKeyOf } from './to-reading.ts';
import { createVerdicts } from './verdicts-thread.ts';

export interface MailPlace extends CertificateFiles {
  port: number;
  host: string;
}

/** Throws ConfigError for a wrong certificate. A port that cannot be had is a warning, and the state says so. */
export async function startMail(
  place: MailPlace,
  {
    settings,
    clock,
    log,
    intakeService,
  }: Pick<AdapterContext, 'settings' | 'clock' | 'log' | 'intakeService'>,
): Promise<RunningAdapter> {
  const tls = readCertificate(place);
  const { smtpDomain } = settings;
  // Addresses of intakes are secrets of a kind: whoever may read tasks need not be able to write to them.
  const reader = createReader({ ownDomain: smtpDomain });
  const verdicts = createVerdicts();
  const deliver = createDelivery({ intakeService, reader, verdicts, replayKeyOf, smtpDomain, log });
  const server = createServer({
    intakeService,
    deliver,
    clock,
    log,
    smtpDomain,
    ...(tls === null ? {} : { tls }),
  });
  const unwatch = watchCertificate(place, tls, (renewed) => server.useCertificate(renewed), log);
  const { port, host } = place;
  let state: AdapterState;
  try {
    state = { ok: true, detail: `listening on ${host} port ${await server.listen(port, host)}` };
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    const why = code === 'EADDRINUSE' ? 'it is taken' : code === 'EACCES' ? 'it may not be used' : message;
    state = { ok: false, detail: `no mail: port ${port} of ${host} cannot be listened on (${why})` };
    log.warn({ err: error, port, host }, 'mail is not served: the port cannot be listened on');
  }
  return {
    state: () => state,
    async stop() {
      unwatch();
      await server.stop();
      await Promise.all([reader.close(), verdicts.close()]);
    },
  };
}
