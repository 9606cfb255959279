// Median and spread of pair ratios, and the verdict on a goal. A ratio whose spread is too wide is not judged
// at all.

/**
 * Above this share of the median, the distance between the quartiles says that the machine was not quiet
 * enough.
 */
const MAX_SPREAD = 0.3;

export interface Summary {
  median: number;
  /** First and third quartile. */
  q1: number;
  q3: number;
}

/** Median and quartiles, interpolated linearly. Needs at least one value. */
export function summarise(values: readonly number[]): Summary {
  if (values.length === 0) throw new Error('nothing was measured');
  const sorted = values.toSorted((a, b) => a - b);
  const at = (share: number): number => {
    const position = share * (sorted.length - 1);
    const below = sorted[Math.floor(position)] ?? 0;
    const above = sorted[Math.ceil(position)] ?? below;
    return below + (above - below) * (position - Math.floor(position));
  };
  return { median: at(0.5), q1: at(0.25), q3: at(0.75) };
}

export type Verdict = 'met' | 'missed' | 'not judged';

export interface Goal {
  atLeast?: number;
  atMost?: number;
}

/** Whether a measured value meets its goal; never on a spread above {@link MAX_SPREAD}. */
export function judge({ median, q1, q3 }: Summary, goal: Goal): Verdict {
  if (!Number.isFinite(median) || (q3 - q1) / median > MAX_SPREAD) return 'not judged';
  const enough = goal.atLeast === undefined || median >= goal.atLeast;
  const little = goal.atMost === undefined || median <= goal.atMost;
  return enough && little ? 'met' : 'missed';
}
