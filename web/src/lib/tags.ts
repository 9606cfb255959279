// Tags as they are typed: one line, separated by commas.

/** Split on commas, trimmed, empty ones dropped. */
export function parseTags(text: string): string[] {
  return text
    .split(',')
    .map((tag) => tag.trim())
    .filter((tag) => tag !== '');
}

/** The line that {@link parseTags} reads back. */
export function formatTags(tags: readonly string[]): string {
  return tags.join(', ');
}
