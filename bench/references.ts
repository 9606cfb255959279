// Qinbox against the reference servers of bench/ref. Exit code 0: every goal met; 1: one was missed, or an
// answer was wrong; 2: the machine was too busy to judge.
import { cpus } from 'node:os';
import { parseArgs } from 'node:util';
import { clientName } from './measure/load.ts';
import { number, printTable, wording } from './measure/report.ts';
import { judge } from './measure/stats.ts';
import type { Outcome } from './measure/outcome.ts';
import { measures, type MeasureName } from './measures.ts';

/** Runs these measures, with the options of the command line, and sets the exit code. */
export async function runReferences(names: readonly string[]): Promise<void> {
  const { values: options } = parseArgs({
    options: {
      rounds: { type: 'string', default: '11' },
      seconds: { type: 'string', default: '1' },
      json: { type: 'boolean', default: false },
    },
  });
  const isMeasure = (name: string): name is MeasureName => Object.hasOwn(measures, name);
  const settings = {
    rounds: Math.max(1, Number(options.rounds) || 1),
    seconds: Math.max(1, Number(options.seconds) || 1),
  };

  const outcome: Outcome = { results: [], rates: [] };
  let failed = false;
  for (const name of names.filter(isMeasure)) {
    console.error(`measuring ${name} …`);
    try {
      const { results, rates } = await measures[name](settings);
      outcome.results.push(...results);
      outcome.rates.push(...rates);
    } catch (error) {
      // The others are worth their time.
      console.error(`${name} failed:`, error);
      failed = true;
    }
  }

  const judged = outcome.results.map((result) => ({
    ...result,
    verdict: result.machineBusy === true ? 'not judged' : judge(result.value, result.goal),
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
  process.exitCode = failed || verdicts.includes('missed') ? 1 : verdicts.includes('not judged') ? 2 : 0;
}
