// `npm run bench -- NAME [options]`: one measurement on this machine, now; without a name it lists them. Exit
// 0: every goal met; 1: a goal missed, or a wrong answer; 2: the machine was too busy to judge, or something
// it needs is missing; 64: usage.
import { runReferences } from './references.ts';
import { measures } from './measures.ts';

const MODULES: Record<string, [about: string, load: () => Promise<unknown>]> = {
  hooks: ['from a signed webhook to its 202, at 200 a second', () => import('./hooks.ts')],
  mail: ['mails stored durably, against a bare smtp-server (needs smtp-source)', () => import('./mail.ts')],
  slack: ['500 slash commands in ten seconds, a fifth of them repeated', () => import('./slack.ts')],
  queue: ['from 202 to the stored task, in the production size', () => import('./queue.ts')],
  paint: ["from curl's 201 to the card painted in Chromium", () => import('./paint.ts')],
  scroll: ['an inbox of 10,000 tasks in Chromium: scrolling and acknowledging', () => import('./scroll.ts')],
  key: ['the share of an API key in the cost of POST /tasks', () => import('./key.ts')],
};
const ABOUT: Record<string, string> = {
  create: 'POST /tasks against raw http, bare Fastify, one synced INSERT each, group commit',
  list: 'GET /tasks?limit=50 against a bare SELECT, and 100,000 tasks against 100',
  soak: 'p99 at half of peak (open loop), resident memory after 100,000 creates',
};

// `--only NAME` is the same as `NAME`; several names of the reference measures are joined by commas.
const [name = '', ...options] = process.argv.slice(2).filter((arg) => arg !== '--only');
// Measurements read their own options.
process.argv.splice(2, Infinity, ...options);

if (Object.hasOwn(MODULES, name)) await MODULES[name]?.[1]();
else if (name !== '' && name.split(',').every((each) => Object.hasOwn(measures, each)))
  await runReferences(name.split(','));
else {
  const rows = [...Object.entries(ABOUT), ...Object.entries(MODULES).map(([id, [about]]) => [id, about])];
  console.log('npm run bench -- NAME [options]');
  for (const [id = '', about] of rows) console.log(`  ${id.padEnd(8)}${about}`);
  console.log('Options of create, list, soak: [--rounds 11] [--seconds 1] [--json]');
  process.exitCode = ['', '--help'].includes(name) ? 0 : 64;
}
