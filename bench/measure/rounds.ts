// Alternates short slices between servers that are all up, in an order that is turned around each round
// (ABBA), so that a machine that speeds up or slows down favours nobody. Ratios are taken within a round,
// never between rounds.
import { loadSlice, warmUp, type Slice, type Target } from './load.ts';
import type { Rate } from './outcome.ts';
import { summarise, type Summary } from './stats.ts';

type WithRate = Pick<Rate, 'perSecond'>;

export interface Rounds {
  /** Median requests a second of this target. */
  perSecond: (name: string) => number;
  /** Median processor time for one request of this target. */
  cpu: (name: string) => number;
  /** Median and quartiles of `a ÷ b` over the rounds. */
  ratio: (a: string, b: string) => Summary;
}

/** Runs so many rounds over the targets, after each is warm. */
export async function alternate(
  targets: readonly Target[],
  rounds: number,
  seconds: number,
): Promise<Rounds> {
  const slices = new Map<string, Slice[]>(targets.map(({ name }) => [name, []]));
  for (const target of targets) await warmUp(target);
  for (let round = 0; round < rounds; round++)
    for (const target of round % 2 === 0 ? targets : targets.toReversed())
      slices.get(target.name)?.push(await loadSlice(target, seconds));

  const of = (name: string): Slice[] => slices.get(name) ?? [];
  const median = (values: number[]): number => summarise(values).median;
  return {
    perSecond: (name) => median(of(name).map(({ perSecond }) => perSecond)),
    cpu: (name) => median(of(name).map(({ cpuMicroseconds }) => cpuMicroseconds)),
    ratio: (a, b) => ratioOf(of(a), of(b)),
  };
}

/** Median and quartiles of `a ÷ b`, each taken within a round. */
export function ratioOf(a: readonly WithRate[], b: readonly WithRate[]): Summary {
  return summarise(a.map(({ perSecond }, round) => perSecond / (b[round]?.perSecond ?? Number.NaN)));
}

/** What each of these targets did. */
export function ratesOf(rounds: Rounds, names: readonly string[]): Rate[] {
  return names.map((server) => ({
    server,
    perSecond: rounds.perSecond(server),
    cpuMicroseconds: rounds.cpu(server),
  }));
}
