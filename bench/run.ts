// `npm run bench`: Qinbox against the reference servers of bench/ref, on this machine, now. Exit 0: every goal met; 1: one was
// missed, or an answer was wrong; 2: the machine was too restless to judge.
import { cpus } from 'node:os';
import { parseArgs } from 'node:util';
import { clientName } from './measure/load.ts';
import { number, printTable, wording } from './measure/report.ts';
import { judge } from './measure/stats.ts';
import { measures, type MeasureName, type Outcome } from './measures.ts';

const USAGE = `npm run bench -- [--only create,list,soak] [--rounds 11] [--seconds 1] [--json]
  create  POST /tasks against raw http, bare Fastify, one synced INSERT each, group commit
  list    GET /tasks?limit=50 against a bare SELECT, and 100,000 tasks against 100
  soak    p99 at half of peak (open loop), resident memory after 100,000 creates`;

const { values: options } = parseArgs({
  options: {
    only: { type: 'string', default: Object.keys(measures).join(',') },
    rounds: { type: 'string', default: '11' },
    seconds: { type: 'string', default: '1' },
    json: { type: 'boolean', default: false },
    help: { type: 'boolean', default: false },
  },
});
const isMeasure = (name: string): name is MeasureName => Object.hasOwn(measures, name);
const wanted = options.only.split(',');
const settings = { rounds: Number(options.rounds), seconds: Number(options.seconds) };

if (options.help || !wanted.every(isMeasure) || !(settings.rounds >= 1) || !(settings.seconds >= 1)) {
  console.log(USAGE);
  process.exit(options.help ? 0 : 64);
}

const outcome: Outcome = { results: [], rates: [] };
for (const name of wanted.filter(isMeasure)) {
  console.error(`measuring ${name} …`);
  const { results, rates } = await measures[name](settings);
  outcome.results.push(...results);
  outcome.rates.push(...rates);
}

const judged = outcome.results.map((result) => ({
  ...result,
  verdict: result.restless === true ? 'not judged' : judge(result.value, result.goal),
}));
const machine = `${cpus()[0]?.model.trim() ?? 'unknown processor'} × ${cpus().length}, Node ${process.versions.node}, ${clientName}`;

if (options.json) console.log(JSON.stringify({ machine, settings, results: judged, rates: outcome.rates }));
else {
  console.log(`${machine}; ${settings.rounds} rounds of ${settings.seconds} s slices\n`);
  printTable(
    ['server', 'requests/s', 'CPU µs/request'],
    outcome.rates.map((rate) => [rate.server, number(rate.perSecond), number(rate.cpuMicroseconds)]),
  );
  printTable(
    ['measure', 'median', 'quartiles', 'goal', ''],
    judged.map(({ measure, value, unit, goal, verdict }) => [
      measure,
      `${number(value.median)} ${unit}`,
      value.q1 === value.q3 ? '' : `${number(value.q1)} – ${number(value.q3)}`,
      wording(goal),
      verdict,
    ]),
  );
}
const verdicts = judged.map(({ verdict }) => verdict);
process.exitCode = verdicts.includes('missed') ? 1 : verdicts.includes('not judged') ? 2 : 0;
