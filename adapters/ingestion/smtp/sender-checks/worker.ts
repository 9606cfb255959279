// The thread that checks senders: signatures cost processor time and DNS takes seconds, and neither may hold up the dialogue. Answers
// of DNS are kept for a minute, so that a sender's hundred messages ask once.
import { Resolver } from 'node:dns/promises';
import { parentPort, workerData } from 'node:worker_threads';
import type { DNSResolver } from 'mailauth';
import { withTimeLimit } from '#core/time-limit.ts';
import { checkMessage } from './check-sender.ts';
import { UNKNOWN, type Evidence } from './verdicts.ts';

export interface CheckRequest {
  id: number;
  evidence: Evidence;
}
export interface WorkerSettings {
  /** Addresses of DNS servers; empty for the system's. */
  dnsServers: readonly string[];
  /** For all questions of one message. */
  timeLimitMs: number;
}

const KEPT_MS = 60_000;
const MAX_KEPT = 2000;
/** Says that a name or a record is not there, which is an answer like any other. */
const ABSENT = new Set(['ENOTFOUND', 'ENODATA']);

const settings = workerData as WorkerSettings;
const dns = new Resolver({ timeout: 2000, tries: 2 });
if (settings.dnsServers.length > 0) dns.setServers(settings.dnsServers);

const kept = new Map<string, { until: number; answer: Promise<string[][] | string[]> }>();

const resolver: DNSResolver = (domain, type) => {
  const key = `${type} ${domain.toLowerCase()}`;
  const known = kept.get(key);
  if (known !== undefined && known.until > performance.now()) return known.answer;
  const answer = ask(domain, type);
  const [oldest] = kept.keys();
  if (kept.size >= MAX_KEPT && oldest !== undefined) kept.delete(oldest);
  kept.delete(key);
  kept.set(key, { until: performance.now() + KEPT_MS, answer });
  answer.catch((error: unknown) => {
    if (!ABSENT.has((error as NodeJS.ErrnoException).code ?? '')) kept.delete(key);
  });
  return answer;
};

async function ask(domain: string, type: string): Promise<string[][] | string[]> {
  if (type === 'TXT') return dns.resolveTxt(domain);
  if (type === 'MX') return (await dns.resolve(domain, type)) as unknown as string[];
  return (await dns.resolve(domain, type)) as string[];
}

async function judge({ id, evidence }: CheckRequest): Promise<void> {
  const checked = checkMessage(evidence, resolver).catch(() => UNKNOWN);
  const verdicts = await withTimeLimit(settings.timeLimitMs, checked, () => UNKNOWN);
  parentPort?.postMessage({ id, verdicts }, []);
}

parentPort?.on('message', (request: CheckRequest) => void judge(request));
