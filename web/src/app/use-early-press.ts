// Clicks what was pressed on a prerendered page before its code was there; theme.js notes it.
import { useEffect, useLayoutEffect } from 'react';
import { listen } from '../lib/listen.ts';

export function useEarlyPress(): void {
  // With the screen, so that no end of a press comes in between.
  useLayoutEffect(() => {
    const held = taken('held');
    return held === undefined ? undefined : clickOnRelease(held);
  }, []);
  useEffect(() => {
    const pressed = taken('pressed');
    if (pressed === undefined) return;
    [...document.querySelectorAll('button')].find((button) => nameOf(button) === pressed)?.click();
  }, []);
}

function taken(name: 'held' | 'pressed'): string | undefined {
  const { dataset } = document.documentElement;
  const value = dataset[name];
  delete dataset[name];
  return value;
}

/** The browser makes no click of a press whose element is gone when it ends. */
function clickOnRelease(name: string): () => void {
  const stop = listen(window, {
    pointerup: ({ target }) => {
      stop();
      const control = target instanceof Element ? target.closest<HTMLElement>('a, button') : null;
      if (control !== null && nameOf(control) === name) control.click();
    },
    pointercancel: () => stop(),
  });
  return stop;
}

function nameOf(control: Element): string {
  return control.ariaLabel ?? (control.textContent ?? '').trim();
}
