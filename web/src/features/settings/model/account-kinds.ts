// What the kinds of an account's file are called, one and many.
import type { AccountKind } from '#core/contract/index.ts';
import { grouped } from '../../../lib/text.ts';

const NAMES: Record<AccountKind, readonly [one: string, many: string]> = {
  tasks: ['task', 'tasks'],
  intakes: ['intake', 'intakes'],
  webhooks: ['webhook', 'webhooks'],
  views: ['saved view', 'saved views'],
  escalations: ['escalation', 'escalations'],
  digest: ['digest', 'digests'],
  pushRules: ['choice of what is pushed', 'choices of what is pushed'],
  keys: ['API key', 'API keys'],
};

const KINDS = Object.keys(NAMES) as AccountKind[];

export function nameOfKind(kind: AccountKind): string {
  const [name] = NAMES[kind];
  return `${name.charAt(0).toUpperCase()}${name.slice(1)}`;
}

/** "2 tasks and 1 intake"; null when there is nothing. */
export function describeCounts(counts: Readonly<Record<AccountKind, number>>): string | null {
  const parts = KINDS.filter((kind) => counts[kind] > 0).map((kind) => {
    const [one, many] = NAMES[kind];
    return `${grouped(counts[kind])} ${counts[kind] === 1 ? one : many}`;
  });
  const last = parts.pop();
  if (last === undefined) return null;
  return parts.length === 0 ? last : `${parts.join(', ')} and ${last}`;
}
