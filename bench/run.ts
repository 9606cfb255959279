// `npm run bench -- NAME [options]`: one measurement on this machine, now; without a name all that make the
// table of docs/performance.md, with `--help` a list of them. `--only NAME` is the same as `NAME`. Exit 0:
// every goal met; 1: a goal missed, a wrong answer or a failure; 2: the machine was too busy to judge, or
// something it needs is missing; 64: usage.
import { runReferences } from './references.ts';
import { measures } from './measures.ts';

const MODULES: Record<string, [about: string, load: () => Promise<unknown>]> = {
  hooks: ['from a signed webhook to its 202, at 200 a second', () => import('./hooks.ts')],
  mail: ['mails stored durably, against a bare smtp-server (needs smtp-source)', () => import('./mail.ts')],
  slack: ['500 slash commands in ten seconds, a fifth of them repeated', () => import('./slack.ts')],
  queue: ['from 202 to the stored task, in the production size', () => import('./queue.ts')],
  'queue-cluster': [
    'one queue a way in against eight, on a Redis Cluster of three servers',
    () => import('./queue-cluster.ts'),
  ],
  push: ['from the 201 of a task to its push at a push service', () => import('./push.ts')],
  webhooks: [
    'from a new task to its message at a webhook, alone and beside five that hang',
    () => import('./webhooks.ts'),
  ],
  batches: ['tasks that come together, in the production size', () => import('./batches.ts')],
  counts: ['the counts of 40,000 tasks in the production size', () => import('./counts.ts')],
  paint: ["from curl's 201 to the card painted in Chromium", () => import('./paint.ts')],
  scroll: ['an inbox of 10,000 tasks in Chromium: scrolling and acknowledging', () => import('./scroll.ts')],
  lighthouse: ['Lighthouse on landing, inbox and API docs (fetched by npx)', () => import('./lighthouse.ts')],
  key: ['the share of an API key in the cost of POST /tasks', () => import('./key.ts')],
};
const ABOUT: Record<keyof typeof measures, string> = {
  create: 'POST /tasks against raw http, bare Fastify, one synced INSERT each, group commit',
  peers: 'POST /tasks against ntfy and Gotify, where NTFY and GOTIFY name their binaries',
  owners: 'POST /tasks of 40 owners against one',
  list: 'GET /tasks?limit=50 against a bare SELECT, and 100,000 tasks against 100',
  tail: 'latency at half of peak (open loop), on one core and on all',
  stops: 'the longest stop of the event loop in a minute at 10,000 creates a second',
  fanOut: 'messages to 1,000 sockets, also against ntfy and Gotify where they are given',
  soak: 'resident memory after 100,000 creates',
  rest: 'start to ready, and resident memory at rest',
};

const given = process.argv.slice(2).filter((arg) => arg !== '--only');
const isNamed = given[0] !== undefined && !given[0].startsWith('--');
const name = isNamed ? (given[0] ?? '') : '';
const names = isNamed ? name.split(',') : Object.keys(measures);
// Measurements read their own options.
process.argv.splice(2, Infinity, ...(isNamed ? given.slice(1) : given));

if (given.includes('--help')) list();
else if (Object.hasOwn(MODULES, name)) await MODULES[name]?.[1]();
else if (names.every((each) => Object.hasOwn(measures, each))) await runReferences(names);
else {
  list();
  process.exitCode = 64;
}

function list(): void {
  const rows = [...Object.entries(ABOUT), ...Object.entries(MODULES).map(([id, [about]]) => [id, about])];
  console.log('npm run bench [-- NAME [options]]');
  for (const [id = '', about] of rows) console.log(`  ${id.padEnd(15)}${about}`);
  console.log(`Without a name: ${Object.keys(measures).join(', ')}. Names of these are joined by commas.`);
  console.log('Options of these: [--rounds 11] [--seconds 1] [--json]');
}
