// The commands of the palette: each screen registers its own while it is shown.
import { useEffect, useRef } from 'react';

export interface Command {
  /** Unique on the page. */
  id: string;
  label: string;
  group: string;
  /** Its own key, where it has one: "e", "Shift Click". */
  keys?: string;
  /** Other words by which it is looked for. */
  words?: string;
  run: () => void;
}

type Source = () => readonly Command[];

const sources = { screen: new Set<Source>(), frame: new Set<Source>() };

/**
 * Registers commands for as long as the component is mounted. `make` is called when the palette opens.
 * Commands of the screen are listed before those of the frame.
 */
export function useCommands(make: Source, where: keyof typeof sources = 'screen'): void {
  const latest = useRef(make);
  useEffect(() => {
    latest.current = make;
  });
  useEffect(() => {
    const source = () => latest.current();
    sources[where].add(source);
    return () => void sources[where].delete(source);
  }, [where]);
}

/** All that can be done now. */
export function allCommands(): Command[] {
  return [...sources.screen, ...sources.frame].flatMap((source) => [...source()]);
}

const isMac = /mac|iphone|ipad/i.test(globalThis.navigator?.platform ?? '');

/** As printed on this machine's keyboard. */
export const PALETTE_KEYS = isMac ? '⌘ K' : 'Ctrl K';
