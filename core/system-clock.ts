// The system's clocks.
import { uptime } from 'node:os';
import type { Clock } from './ports/clock.ts';

export const systemClock: Clock = {
  now: () => Date.now(),
  monotonic: () => performance.now(),
  uptime: () => uptime() * 1000,
};
