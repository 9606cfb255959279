// The chosen sender stands in the address, so that it survives a reload and "back" goes back to the choice.

/** Where the form for a sender is. */
export function formAddress(adapter: string, preset: string | null): string {
  const params = new URLSearchParams({ adapter, ...(preset === null ? {} : { preset }) });
  return `/admin/intakes/new?${params.toString()}`;
}
