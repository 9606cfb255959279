// The words that screens use for priorities and sources.
import type { Priority } from '#core/contract/index.ts';

export const PRIORITIES: readonly Priority[] = ['high', 'normal', 'low'];

export const PRIORITY_LABEL: Record<Priority, string> = { high: 'High', normal: 'Normal', low: 'Low' };

const SOURCE_LABEL = new Map([
  ['api', 'API'],
  ['web', 'Web Interface'],
  ['email', 'Email'],
  ['webhook', 'Webhook'],
  ['integration', 'Integration'],
]);

/** Where a task came from, in words: known sources by name, others capitalised, none "Unknown". */
export function sourceLabel(source: string | null | undefined): string {
  const name = source?.trim() ?? '';
  if (name === '') return 'Unknown';
  return SOURCE_LABEL.get(name.toLowerCase()) ?? name.charAt(0).toUpperCase() + name.slice(1);
}
