// Calls of the API outside the browser: by fetch, and by curl as the documentation shows it, with the times
// of the answer and of the painted row.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import type { Page } from 'playwright-core';
import type { Task } from '#core/contract/index.ts';
import { plainEnvironment } from '#test/program/program.ts';
import { waitFor } from '#test/program/wait.ts';

/** Calls of the API with a key. `access` is asked at each call. */
export function apiClient(access: () => { url: string; key: string }) {
  async function call(method: string, path: string, body?: unknown): Promise<Record<string, unknown>> {
    const { url, key } = access();
    const answer = await fetch(`${url}/api/v1${path}`, {
      method,
      headers: { 'x-api-key': key, ...(body === undefined ? {} : { 'content-type': 'application/json' }) },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${await answer.text()}`);
    return (await answer.json()) as Record<string, unknown>;
  }
  return { call, tasks: async () => (await call('GET', '/tasks'))['tasks'] as Task[] };
}

/**
 * `curl -d "…" -H "x-api-key: …" …/api/v1/tasks`; resolves with the time at which curl printed `201 Created`.
 */
export async function pushWithCurl(url: string, key: string, content: string): Promise<number> {
  const args = [
    '-sS',
    '-v',
    '-o',
    '/dev/null',
    '-d',
    content,
    '-H',
    `x-api-key: ${key}`,
    `${url}/api/v1/tasks`,
  ];
  const curl = spawn('curl', args, { env: plainEnvironment(), stdio: ['ignore', 'ignore', 'pipe'] });
  let told = '';
  let answeredAt: number | null = null;
  // curl writes its account of the headers unbuffered, as they come.
  curl.stderr.on('data', (chunk: Buffer) => {
    told += chunk.toString();
    if (answeredAt === null && told.includes('< HTTP/1.1 201 ')) answeredAt = Date.now();
  });
  await once(curl, 'close');
  if (answeredAt === null) throw new Error(`curl was not answered 201:\n${told}`);
  return answeredAt;
}

// Runs in the page. Notes for every row the moment right after the frame in which it was first painted.
const WATCH_ROWS = `(() => {
  const painted = (globalThis.__painted = new Map());
  const look = () => {
    for (const row of document.querySelectorAll('article[data-task]')) {
      const text = row.textContent.match(/paint-\\d+-end/)?.[0];
      if (!text || painted.has(text)) continue;
      painted.set(text, null);
      requestAnimationFrame(() => {
        const channel = new MessageChannel();
        channel.port1.onmessage = () => painted.set(text, Date.now());
        channel.port2.postMessage(null);
      });
    }
  };
  new MutationObserver(look).observe(document.body, { subtree: true, childList: true, characterData: true });
})()`;

/** Milliseconds from curl's 201 to the painted card, for `count` tasks pushed one after the other. */
export async function measurePaints(page: Page, url: string, key: string, count: number): Promise<number[]> {
  await page.evaluate(WATCH_ROWS);
  const delays: number[] = [];
  for (let i = 0; i < count; i++) {
    const marker = `paint-${i}-end`;
    const answered = await pushWithCurl(url, key, marker);
    const painted = await waitFor(`the card of ${marker}`, () =>
      page.evaluate<number | null>(`globalThis.__painted.get('${marker}') ?? null`),
    );
    delays.push(Math.max(0, painted - answered));
  }
  return delays;
}

/** The value below which 95 of 100 lie. */
export function p95(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.ceil(sorted.length * 0.95) - 1] ?? Number.NaN;
}
