// What every abuser has in common: only this machine's loopback, a pace, an end, and a count of the answers.
import { request, type Agent } from 'node:http';
import { setTimeout as after } from 'node:timers/promises';
import { REFUSED, type AbuserReport, type AbuserSettings } from '../settings.ts';

export const settings = JSON.parse(process.argv[2] ?? '{}') as AbuserSettings;
if (new URL(settings.url).hostname !== '127.0.0.1') throw new Error('abuse goes to 127.0.0.1 only');

/** How long answers are waited for at the end. */
const PATIENCE_MS = 30_000;

const counts: AbuserReport = {};

const endsAt = performance.now() + settings.seconds * 1000;
const stopping = new AbortController();
process.once('SIGTERM', () => stopping.abort());

/** Whether it was told to stop, or its time is over. */
export function isOver(): boolean {
  return stopping.signal.aborted || performance.now() > endsAt;
}

/** Resolves after this time, or as soon as it is over. */
export async function pause(ms: number): Promise<void> {
  const leftMs = Math.min(ms, endsAt - performance.now());
  if (leftMs > 0) await after(leftMs, undefined, { signal: stopping.signal }).catch(() => undefined);
}

/** Counts one answer. */
export function count(answer: string | number): void {
  counts[answer] = (counts[answer] ?? 0) + 1;
}

/**
 * Runs `act` evenly, `perSecond` times a second, whether it has come to an end or not, until it is over; then
 * reports.
 */
export async function keepDoing(perSecond: number, act: (index: number) => Promise<void>): Promise<void> {
  ready();
  const startedAt = performance.now();
  const acts = new Set<Promise<void>>();
  for (let index = 0; !isOver(); index++) {
    const early = startedAt + (index * 1000) / perSecond - performance.now();
    if (early > 0) await pause(early);
    const acting = act(index).finally(() => acts.delete(acting));
    acts.add(acting);
  }
  await Promise.race([Promise.all(acts), after(PATIENCE_MS)]);
  for (let unanswered = acts.size; unanswered > 0; unanswered--) count('no answer');
  report();
}

/** Says that the harm begins. */
export function ready(): void {
  process.stdout.write('ready\n');
}

let wasRefused = false;

/** Says, once, that the program has refused something, for an abuser who counts only at the end. */
export function refused(): void {
  if (!wasRefused) process.stdout.write(REFUSED);
  wasRefused = true;
}

/** Says what was counted, and ends the process. */
export function report(): void {
  process.stdout.write(`${JSON.stringify(counts)}\n`, () => process.exit(0));
}

/** Sends a request and counts its status, or the error's code. */
export function ask(
  agent: Agent,
  method: string,
  to: string,
  headers: Record<string, string>,
  body = '',
): Promise<void> {
  return new Promise((resolve) => {
    const done = (answer: string | number) => {
      count(answer);
      resolve();
    };
    const length = { 'content-length': String(Buffer.byteLength(body)) };
    const asked = request(to, { agent, method, headers: { ...headers, ...length } }, (response) => {
      response.resume().once('end', () => done(response.statusCode ?? 0));
      response.once('error', (error: NodeJS.ErrnoException) => done(error.code ?? error.message));
    });
    asked.once('error', (error: NodeJS.ErrnoException) => done(error.code ?? error.message));
    asked.end(body);
  });
}
