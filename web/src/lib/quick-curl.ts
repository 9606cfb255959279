// A task in one line for any terminal. A test runs it.

/** Stands where people put their own key. */
export const PLACEHOLDER_KEY = 'qi_your_key';

/** Creates a task whose content is `text`. `baseUrl` ends in `/api/v1`. */
export function quickCurl(baseUrl: string, text = 'backup failed', apiKey = PLACEHOLDER_KEY): string {
  return `curl -d "${text}" -H "x-api-key: ${apiKey}" ${baseUrl}/tasks`;
}

/** The command with a line for each part, to be shown: a shell takes it as one. */
export function inLines(command: string): string {
  return command.replaceAll(/ (?=-H |https?:)/g, ' \\\n  ');
}
