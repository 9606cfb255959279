// `npm run bench -- key`: what proving an API key costs, as a share of the processor time of one POST /tasks,
// in slices that alternate on the same machine. Goal: under 5 % for a key seen in the last second. Exit 0:
// met; 1: missed; 2: too busy.
import { parseArgs } from 'node:util';
import { compose } from '#api/compose.ts';
import { readConfig } from '#core/config.ts';
import { createKey, temporaryFolder } from '#test/program/program.ts';
import { creating, startQinbox, withServers } from './measure/field.ts';
import { loadSlice } from './measure/load.ts';
import { number, printTable } from './measure/report.ts';
import { judge, summarise, type Summary, type Verdict } from './measure/stats.ts';

const GOAL_PERCENT = 5;
const CALLS = 20_000;
/**
 * The time between two requests of one key, as the key's owner would make them, and what that means for a
 * proof.
 */
const PACES = [
  { name: 'seen in the last second', stepMs: 0, judged: true },
  { name: '100 requests a minute, amortised', stepMs: 600, judged: false },
  { name: 'not seen: store look-up each time', stepMs: 1000, judged: false },
] as const;

const { values: options } = parseArgs({ options: { rounds: { type: 'string', default: '7' } } });
const rounds = Math.max(1, Number(options.rounds) || 0);

const folder = temporaryFolder('bench-key');
const key = createKey(folder.path);
let now = Date.now();
const parts = await compose(readConfig({ DATA_DIR: folder.path, LOG_LEVEL: 'warn' }), {
  clock: { now: () => now, monotonic: () => now, uptime: () => now },
  background: false,
});

/** Processor time of one proof, in microseconds, with so much time between two of them. */
async function proving(stepMs: number): Promise<number> {
  const before = process.cpuUsage();
  for (let call = 0; call < CALLS; call++) {
    now += stepMs;
    await parts.access.authenticate({ authorization: undefined, apiKey: key });
  }
  const { user, system } = process.cpuUsage(before);
  return (user + system) / CALLS;
}

const creates: number[] = [];
const proofs = PACES.map((): number[] => []);
try {
  await withServers(async (start) => {
    const server = await start(startQinbox());
    const target = creating('POST /tasks', server, server.keyOf('bench@example.com'));
    await loadSlice(target, 1);
    for (const { stepMs } of PACES) await proving(stepMs);
    for (let round = 0; round < rounds; round++) {
      creates.push((await loadSlice(target, 1)).cpuMicroseconds);
      for (const [index, { stepMs }] of PACES.entries()) proofs[index]?.push(await proving(stepMs));
    }
  });
} finally {
  await parts.close();
  folder.remove();
}

/** A spread that lies wholly below the goal meets it, however busy the machine is. */
function verdictOf(share: Summary): Verdict {
  return share.q3 <= GOAL_PERCENT ? 'met' : judge(share, { atMost: GOAL_PERCENT });
}

console.log(`POST /tasks: ${number(summarise(creates).median)} µs of processor time, ${rounds} rounds\n`);
const rows = PACES.map((pace, index) => {
  const times = proofs[index] ?? [];
  const share = summarise(times.map((time, round) => (100 * time) / (creates[round] ?? Number.NaN)));
  return { pace, micros: summarise(times).median, share };
});
printTable(
  ['API key', 'CPU µs/request', 'share of a create', 'quartiles', 'goal', ''],
  rows.map(({ pace, micros, share }) => [
    pace.name,
    number(micros),
    `${number(share.median)} %`,
    `${number(share.q1)} – ${number(share.q3)}`,
    pace.judged ? `≤ ${GOAL_PERCENT} %` : '',
    pace.judged ? verdictOf(share) : '',
  ]),
);
const verdicts = rows.filter(({ pace }) => pace.judged).map(({ share }) => verdictOf(share));
process.exitCode = verdicts.includes('missed') ? 1 : verdicts.includes('not judged') ? 2 : 0;
