// The table of an abuse measurement, as text.
import type { Result } from './measure.ts';

const HEADINGS =
  'beside|alone p50|p99|CPU|beside p50|p99|CPU|ratio|MiB before|peak|bound|fine|others CPU|answers'.split(
    '|',
  );

/** One line for each scenario. Times are medians over the slices, in ms; memory is in MiB. */
export function tableOf(results: readonly Result[]): string {
  const rows = [HEADINGS, ...results.map(rowOf)];
  const widths = HEADINGS.map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  return rows
    .map((row) =>
      row
        .map((cell, column) => cell.padEnd(widths[column] ?? 0))
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}

function rowOf(result: Result): string[] {
  const { scenario, alone, beside, ratio, beforeMiB, peakMiB, done, wrong, answers, othersCores } = result;
  return [
    scenario.title,
    ms(alone.p50),
    ms(alone.p99),
    alone.cores.toFixed(2),
    ms(beside.p50),
    ms(beside.p99),
    beside.cores.toFixed(2),
    ratio.toFixed(1),
    beforeMiB.toFixed(0),
    peakMiB.toFixed(0),
    `+${scenario.boundMiB}`,
    `${done} of ${done + wrong.length}`,
    othersCores.toFixed(1),
    Object.entries(answers)
      .toSorted(([, a], [, b]) => b - a)
      .map(([answer, times]) => `${answer}: ${times}`)
      .join('; '),
  ];
}

function ms(value: number): string {
  return value.toFixed(1);
}
