// Clicks the button that was pressed on a prerendered page before its code was there; theme.js notes it.
import { useEffect } from 'react';

export function useEarlyPress(): void {
  useEffect(() => {
    const { dataset } = document.documentElement;
    const name = dataset['pressed'];
    delete dataset['pressed'];
    if (name === undefined) return;
    [...document.querySelectorAll('button')]
      .find((button) => (button.ariaLabel ?? button.textContent.trim()) === name)
      ?.click();
  }, []);
}
