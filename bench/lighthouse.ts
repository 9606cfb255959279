// `npm run bench -- lighthouse [--runs 5] [--pages /,/inbox,…]`: Lighthouse as it comes, for a phone
// with simulated throttling: the inbox with thirty tasks and somebody signed in, other pages as a stranger.
// Prints the medians of scores and of the largest paint beside their goals. npx fetches Lighthouse, unless
// LIGHTHOUSE names its binary. Exit 0: every goal met; 1: one missed or a failure.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import {
  BROWSER_FLAGS,
  chromiumPath,
  hasChromium,
  launchProfile,
  rowOf,
  waitUntilWhole,
  WHY_NOT,
} from '#test/e2e/browser.ts';
import {
  buildOnce,
  createKey,
  createSignInLink,
  startProgram,
  temporaryFolder,
  type Program,
} from '#test/program/program.ts';
import { number, printTable, wording } from './measure/report.ts';
import { judge, summarise, type Goal } from './measure/stats.ts';

const VERSION = '12.8.2';
const CATEGORIES = ['performance', 'accessibility', 'best-practices'] as const;
const SCORE: Goal = { atLeast: 100 };
const LARGEST_PAINT_S: Goal = { atMost: 2 };
const TASKS = 30;

const { values: options } = parseArgs({
  options: {
    runs: { type: 'string', default: '5' },
    pages: { type: 'string', default: '/,/inbox,/api-docs,/docs,/docs/getting-started' },
  },
});
const runs = Math.max(1, Number(options.runs) || 1);

interface Report {
  categories: Record<(typeof CATEGORIES)[number], { score: number | null }>;
  audits: Record<'largest-contentful-paint', { numericValue?: number }> & {
    metrics: { details?: { items: { observedLargestContentfulPaint?: number }[] } };
  };
}

const CONTENTS = [
  'Disk /var on nas-7 is 91 % full',
  'Payroll export finished with warnings\nRows 118 and 204 have no cost centre, see https://ci.example.com/runs/118',
  'Review: Retry uploads that the proxy cut off',
  'Backup of db-2 took 3 h 12 min, usually 40 min',
  'Invoice of the hosting provider is due on Friday',
];

async function addTasks(url: string, key: string): Promise<void> {
  const tasks = Array.from({ length: TASKS }, (_, n) => ({
    content: `${CONTENTS[n % CONTENTS.length]} (${n + 1})`,
    priority: ['high', 'normal', 'low'][n % 3],
    tags: n % 2 === 0 ? ['ops', `nas-${n % 4}`] : [],
    metadata: n % 4 === 0 ? { url: `https://example.com/${n}` } : {},
  }));
  const answer = await fetch(`${url}/api/v1/tasks/batch`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-api-key': key },
    body: JSON.stringify({ tasks }),
  });
  if (!answer.ok) throw new Error(`POST /tasks/batch: ${answer.status} ${await answer.text()}`);
}

/** Leaves a session in the profile, which Lighthouse does not clear. */
async function signIn(profile: string, link: string): Promise<void> {
  const [context, page] = await launchProfile(profile);
  await page.goto(link);
  await rowOf(page, CONTENTS[0] as string)
    .first()
    .waitFor();
  await waitUntilWhole(page);
  await context.close();
}

async function lighthouse(url: string, profile: string): Promise<Report> {
  const report = join(profile, 'lighthouse.json');
  const own = process.env['LIGHTHOUSE'];
  const [command = 'npx', ...given] = own === undefined ? ['npx', '--yes', `lighthouse@${VERSION}`] : [own];
  const args = [
    url,
    '--quiet',
    '--output=json',
    `--output-path=${report}`,
    `--only-categories=${CATEGORIES.join(',')}`,
    `--chrome-flags=--headless=new ${BROWSER_FLAGS.join(' ')} --user-data-dir=${profile}`,
  ];
  const child = spawn(command, [...given, ...args], {
    env: { ...process.env, CHROME_PATH: chromiumPath },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  const [code] = (await once(child, 'exit')) as [number | null];
  if (code !== 0) throw new Error(`Lighthouse ended with ${code}`);
  return JSON.parse(readFileSync(report, 'utf8')) as Report;
}

/** Chromium now and then loses the trace of a load: tried once more. */
async function measured(url: string, profile: string): Promise<Report> {
  return lighthouse(url, profile).catch(() => lighthouse(url, profile));
}

async function measure(program: Program, profile: string, page: string): Promise<string[][]> {
  const reports: Report[] = [];
  for (let run = 0; run < runs; run++) reports.push(await measured(program.url + page, profile));
  const rows = CATEGORIES.map((name) =>
    rowFor(page, name, SCORE, (report) => (report.categories[name].score ?? 0) * 100),
  );
  const paint = rowFor(
    page,
    'largest paint, simulated, s',
    LARGEST_PAINT_S,
    ({ audits }) => (audits['largest-contentful-paint'].numericValue ?? Number.NaN) / 1000,
  );
  const observed = reports.map(
    ({ audits }) => audits.metrics.details?.items[0]?.observedLargestContentfulPaint ?? Number.NaN,
  );
  return [...rows, paint, [page, 'the same, unthrottled, ms', number(summarise(observed).median)]];

  function rowFor(of: string, what: string, goal: Goal, read: (report: Report) => number): string[] {
    const values = summarise(reports.map(read));
    const verdict = judge(values, goal);
    if (verdict !== 'met') process.exitCode = 1;
    return [
      of,
      what,
      number(values.median),
      `${number(values.q1)} – ${number(values.q3)}`,
      wording(goal),
      verdict,
    ];
  }
}

if (!hasChromium) {
  console.error(`qinbox: ${WHY_NOT}`);
  process.exit(1);
}
const folder = temporaryFolder('lighthouse');
const owner = temporaryFolder('lighthouse-owner');
const stranger = temporaryFolder('lighthouse-stranger');
buildOnce();
const key = createKey(folder.path);
const program = await startProgram({ dataDir: folder.path, env: { NODE_ENV: 'production' } });
try {
  await addTasks(program.url, key);
  await signIn(owner.path, createSignInLink(folder.path, program.url));
  const rows: string[][] = [];
  for (const page of options.pages.split(',')) {
    console.error(`measuring ${page}, ${runs} times …`);
    rows.push(...(await measure(program, page === '/inbox' ? owner.path : stranger.path, page)));
  }
  printTable(['page', 'measure', 'median', 'quartiles', 'goal', ''], rows);
} finally {
  await program.kill();
  folder.remove();
  owner.remove();
  stranger.remove();
}
