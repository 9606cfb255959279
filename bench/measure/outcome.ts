// What a measure gives.
import { summarise, type Goal, type Summary } from './stats.ts';

export interface Result {
  measure: string;
  value: Summary;
  unit: string;
  goal: Goal;
  /** Set when the machine itself was seen to be too busy for this measure. */
  machineBusy?: boolean;
}

export interface Rate {
  server: string;
  perSecond: number;
  cpuMicroseconds: number;
}

export interface Outcome {
  results: Result[];
  rates: Rate[];
}

export interface Settings {
  rounds: number;
  seconds: number;
}

/** Of what is measured once. */
export function single(measure: string, value: number, unit: string, atMost: number): Result {
  return { measure, value: summarise([value]), unit, goal: { atMost } };
}
