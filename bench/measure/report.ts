// How figures are printed: columns that line up, numbers short enough to compare.
import type { Goal } from './stats.ts';

/** Two decimals below 100, none above. */
export function number(value: number): string {
  return value.toLocaleString('en-US', { maximumFractionDigits: value < 100 ? 2 : 0 });
}

/** A goal in words. */
export function wording({ atLeast, atMost }: Goal): string {
  return atLeast === undefined ? `≤ ${atMost}` : `≥ ${atLeast}`;
}

/** Prints a table with an empty line below; nothing where there are no rows. */
export function printTable(head: string[], rows: string[][]): void {
  if (rows.length === 0) return;
  const widths = head.map((title, column) =>
    Math.max(title.length, ...rows.map((row) => (row[column] ?? '').length)),
  );
  const line = (row: string[]): string =>
    row
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join('   ')
      .trimEnd();
  console.log([line(head), ...rows.map(line)].join('\n'), '\n');
}
