// Checks senders in a thread: signatures cost processor time. Answers of DNS are cached for a minute.
import { Resolver } from 'node:dns/promises';
import { workerData } from 'node:worker_threads';
import { LRUCache } from 'lru-cache';
import type { DNSResolver } from 'mailauth';
import { withTimeLimit } from '#core/time-limit.ts';
import { answerOnThread } from '#core/worker-thread.ts';
import { checkMessage } from './check-sender.ts';
import { UNKNOWN, type Evidence } from './verdicts.ts';

export interface WorkerSettings {
  /** Addresses of DNS servers; empty for the system's. */
  dnsServers: readonly string[];
  /** For all questions of one message. */
  timeLimitMs: number;
}

/** The name or the record does not exist, which is an answer like any other. */
const ABSENT = new Set(['ENOTFOUND', 'ENODATA']);

const settings = workerData as WorkerSettings;
const dns = new Resolver({ timeout: 2000, tries: 2 });
if (settings.dnsServers.length > 0) dns.setServers(settings.dnsServers);

const cached = new LRUCache<string, Promise<string[][] | string[]>>({ max: 2000, ttl: 60_000 });

const resolver: DNSResolver = (domain, type) => {
  const key = `${type} ${domain.toLowerCase()}`;
  const known = cached.get(key);
  if (known !== undefined) return known;
  const answer = ask(domain, type);
  cached.set(key, answer);
  answer.catch((error: unknown) => {
    if (!ABSENT.has((error as NodeJS.ErrnoException).code ?? '')) cached.delete(key);
  });
  return answer;
};

async function ask(domain: string, type: string): Promise<string[][] | string[]> {
  if (type === 'TXT') return dns.resolveTxt(domain);
  if (type === 'MX') return (await dns.resolve(domain, type)) as unknown as string[];
  return (await dns.resolve(domain, type)) as string[];
}

answerOnThread((evidence: Evidence) => {
  const checked = checkMessage(evidence, resolver).catch(() => UNKNOWN);
  return withTimeLimit(settings.timeLimitMs, checked, () => UNKNOWN);
});
