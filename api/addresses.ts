// The addresses that this process gives out.
import type { Server } from 'node:http';
import { isIPv6 } from 'node:net';
import { networkInterfaces } from 'node:os';
import type { Config } from '#core/config.ts';
import type { AdapterSettings } from '#core/ports/adapter/intake.ts';

const ANY = new Set(['0.0.0.0', '::']);
const LOOPBACK = /^(?:127(?:\.\d{1,3}){3}|::1)$/;
/** As many addresses of the network as somebody reads. */
const MOST_LISTED = 3;

/** Without PUBLIC_URL, `publicUrl` has the port that `server` listens on, from then on. */
export function addressesOf(config: Config, server: Server): AdapterSettings {
  return {
    get publicUrl() {
      return publicUrlOf({ ...config, port: boundPort(server) ?? config.port });
    },
    smtpDomain: config.smtpDomain,
  };
}

/** The port that it listens on; undefined while it does not. */
export function boundPort(server: Server): number | undefined {
  const bound = server.address();
  return typeof bound === 'object' ? bound?.port : undefined;
}

/** PUBLIC_URL; without it, the address at which this machine reaches the server. */
export function publicUrlOf({ publicUrl, host, port }: Pick<Config, 'publicUrl' | 'host' | 'port'>): string {
  return publicUrl ?? ownUrl(LOOPBACK.test(host) ? 'localhost' : host, port);
}

/** Where this machine reaches a server that listens on `host`. */
export function ownUrl(host: string, port: number): string {
  return urlOf(ANY.has(host) ? 'localhost' : host, port);
}

/** Where other machines reach a server that listens on all addresses of this one. */
export function networkUrls(host: string, port: number): string[] {
  if (!ANY.has(host)) return [];
  return Object.values(networkInterfaces())
    .flatMap((all) => all ?? [])
    .filter(({ internal, family }) => !internal && family === 'IPv4')
    .slice(0, MOST_LISTED)
    .map(({ address }) => urlOf(address, port));
}

function urlOf(host: string, port: number): string {
  return `http://${isIPv6(host) ? `[${host}]` : host}:${port}`;
}

/** Signs its holder in, once. The token is in the fragment, which no browser sends and no proxy logs. */
export function linkUrl(base: string, token: string): string {
  return `${base}/inbox#signin=${token}`;
}
