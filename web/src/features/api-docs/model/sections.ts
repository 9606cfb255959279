// The sections of the page, in its order, by the names that its address links to.

export const SECTIONS = {
  'quick-start': 'Quick Start',
  'base-url': 'Base URL',
  'request-parameters': 'Request Parameters',
  examples: 'Examples',
  endpoints: 'Endpoints',
  'error-handling': 'Error Handling',
  'rate-limiting': 'Rate Limiting',
};

/** What the address links to for a group of calls. */
export function groupId(name: string): string {
  return `calls-${name.toLowerCase().replaceAll(/\W+/g, '-')}`;
}
