// The words that screens use for priorities, sources and ways to sign in.
import type { Priority } from '#core/contract/index.ts';
import type { AuthMethod } from './session/session.ts';

export const PRIORITIES: readonly Priority[] = ['high', 'normal', 'low'];

export const PRIORITY_LABEL: Record<Priority, string> = { high: 'High', normal: 'Normal', low: 'Low' };

/** How someone has signed in. */
export const METHOD_LABEL: Record<AuthMethod, string> = {
  none: 'None',
  jwt: 'Google OAuth',
  api_key: 'API key',
};

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
