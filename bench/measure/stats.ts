// Median and quartiles of what was measured, and the verdict on a goal. Where the quartiles are far apart and
// the goal lies between them, there is no verdict.

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

/** Whether a measured value meets its goal; nothing is said where the machine was too busy to tell. */
export function judge({ median, q1, q3 }: Summary, goal: Goal): Verdict {
  const meets = (value: number) => value >= (goal.atLeast ?? -Infinity) && value <= (goal.atMost ?? Infinity);
  const isWide = (q3 - q1) / median > MAX_SPREAD;
  if (!Number.isFinite(median) || (isWide && meets(q1) !== meets(q3))) return 'not judged';
  return meets(median) ? 'met' : 'missed';
}
