// Words that senders use for severity, and the priority each stands for.
import type { Priority } from '#core/contract/index.ts';

const HIGH =
  'high highest critical crit fatal emergency emerg alert alarm error err severe urgent blocker disaster outage major p0 p1 sev0 sev1 s1 failed failure fail failing errored broken down firing alerting offline unhealthy breached rejected crashed panic';
const NORMAL = 'normal medium moderate average warning warn p2 sev2 s2 degraded pending unstable';
const LOW =
  'low lowest info informational information notice debug trace verbose minor trivial none p3 p4 p5 sev3 sev4 sev5 ok okay good success successful succeeded passed pass resolved recovered complete completed done finished up online healthy closed';

const WORDS = new Map<string, Priority>([
  ...HIGH.split(' ').map((word) => [word, 'high'] as const),
  ...NORMAL.split(' ').map((word) => [word, 'normal'] as const),
  ...LOW.split(' ').map((word) => [word, 'low'] as const),
]);
/** These mean a severity only when nothing else is said. */
const ALONE = new Map<string, Priority>([
  ['page', 'high'],
  ['min', 'low'],
]);

/** The priority of a sender's word (`CRITICAL`, `sev-1`), or null. The first known word counts. */
export function priorityOf(text: string): Priority | null {
  if (text.length > 60) return null;
  const lower = text.trim().toLowerCase();
  const alone = ALONE.get(lower);
  if (alone !== undefined) return alone;
  for (const word of lower.replaceAll(/\bsev-(?=\d)/g, 'sev').split(/[^a-z\d]+/)) {
    const priority = WORDS.get(word);
    if (priority !== undefined) return priority;
  }
  return null;
}
