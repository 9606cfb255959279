// The addresses that this process gives out.
import type { Server } from 'node:http';
import type { Config } from '#core/config.ts';
import type { AdapterSettings } from '#core/ports/adapter/intake.ts';

/** Without PUBLIC_URL, `publicUrl` has the port that `server` listens on, from then on. */
export function addressesOf({ publicUrl, smtpDomain, port }: Config, server: Server): AdapterSettings {
  return {
    get publicUrl() {
      const bound = server.address();
      const listening = typeof bound === 'object' && bound !== null ? bound.port : port;
      return publicUrl ?? `http://localhost:${listening}`;
    },
    smtpDomain,
  };
}

/** Signs its holder in, once. The token is in the fragment, which no browser sends and no proxy logs. */
export function linkUrl(base: string, token: string): string {
  return `${base}/inbox#signin=${token}`;
}
