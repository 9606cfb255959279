// Code that is loaded when it is needed, or before that while the page is idle. Unlike a lazy component it is
// drawn only once it is there, and a failed load is tried again.
import type { ComponentType, ReactNode } from 'react';

export interface Code {
  ready: () => boolean;
  /** Fetches it, unless it is there. Rejects when it cannot be fetched. */
  load: () => Promise<void>;
}

export interface OnDemand<P> extends Code {
  /** Draws nothing unless the code was ready by then. */
  Component: (props: P) => ReactNode;
}

/** After the page is complete: nothing that it needs itself is on its way then. */
const QUIET_MS = 1500;

const known: Code[] = [];

/** Code that {@link fetchWhileIdle} fetches, too. */
export function onDemandCode(fetch: () => Promise<unknown>): Code {
  let there = false;
  const code: Code = {
    ready: () => there,
    load: async () => {
      if (!there) await fetch();
      there = true;
    },
  };
  known.push(code);
  return code;
}

/** A component whose code is {@link onDemandCode}. */
export function onDemand<P extends object>(fetch: () => Promise<{ default: ComponentType<P> }>): OnDemand<P> {
  let Ready: ComponentType<P> | undefined;
  const code = onDemandCode(async () => {
    Ready = (await fetch()).default;
  });
  return { ...code, Component: (props) => (Ready === undefined ? null : <Ready {...props} />) };
}

/** Loads all of it while the page is idle, except in data-saving mode. Returns the function that stops it. */
export function fetchWhileIdle(): () => void {
  let stopped = savesData();
  async function fetchAll() {
    for (const code of known) {
      await idle();
      if (stopped) return;
      await code.load().catch(() => undefined);
    }
  }
  const timer = setTimeout(() => void fetchAll(), QUIET_MS);
  return () => {
    stopped = true;
    clearTimeout(timer);
  };
}

function idle(): Promise<void> {
  return new Promise((resolve) => {
    if ('requestIdleCallback' in globalThis) requestIdleCallback(() => resolve());
    else setTimeout(resolve, 50);
  });
}

function savesData(): boolean {
  const { connection } = navigator as Navigator & { connection?: { saveData?: boolean } };
  return connection?.saveData === true;
}
