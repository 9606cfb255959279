// Time zones of the IANA database, as choices.

/** All zones that the browser knows, and those that are needed. */
export function zonesWith(...needed: string[]): string[] {
  const known = 'supportedValuesOf' in Intl ? Intl.supportedValuesOf('timeZone') : [];
  return [...new Set([...known, 'UTC', ...needed])].toSorted();
}
