// A button that was pressed on a screen that came drawn, before any code was there, is pressed as soon as it does something.
// theme.js notes which one it was.
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
