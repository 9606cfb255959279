// Small parts of texts for people.

/** The texts with the separator between them, without the empty ones. */
export function joined(separator: string, texts: readonly string[]): string {
  return texts.filter((text) => text !== '').join(separator);
}

/** `2026-11-21 09:30 UTC`, of milliseconds since the epoch. Throws for what is no time. */
export function utcMinute(at: number): string {
  return `${new Date(at).toISOString().slice(0, 16).replace('T', ' ')} UTC`;
}
