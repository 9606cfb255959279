// The only process of an installation.
import type { ProcessFigures, Processes } from '#core/ports/processes.ts';

/** Knows this process alone. */
export function createLocalProcesses(): Processes {
  let read: (() => ProcessFigures) | undefined;
  return {
    announce(own) {
      read = own;
    },
    list: () => Promise.resolve(read === undefined ? [] : [read()]),
    close: () => Promise.resolve(),
  };
}
