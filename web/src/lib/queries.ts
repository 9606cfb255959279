// What has been fetched, for all screens. Not in a context: then the first load of pages that fetch nothing
// would carry its code.
import { QueryClient, useQuery as useQueryOf } from '@tanstack/react-query';

export const queries = new QueryClient({ defaultOptions: { queries: { retry: false } } });
// Fetches again when the page or the network is back.
queries.mount();

/** As the library's own, with {@link queries}. */
export const useQuery = ((options: Parameters<typeof useQueryOf>[0]) =>
  useQueryOf(options, queries)) as typeof useQueryOf;
