// Whether a media query matches, now and when that changes.
import { useSyncExternalStore } from 'react';
import { listen } from './listen.ts';

export function useMediaQuery(query: string): boolean {
  return useSyncExternalStore(
    (changed) => {
      const media: EventTarget | undefined = window.matchMedia?.(query);
      return media === undefined ? () => undefined : listen(media, { change: changed });
    },
    () => window.matchMedia?.(query).matches ?? false,
  );
}
