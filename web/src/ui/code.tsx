// A name, a command or a value, to be read as it is written: no translation of the page changes it.
import type { ReactNode } from 'react';

interface CodeProps {
  /** Its size is that of the text around it, unless this says another. */
  className?: string;
  children: ReactNode;
}

export function Code({ className = '', children }: CodeProps) {
  return (
    <code translate="no" className={`font-mono ${className}`}>
      {children}
    </code>
  );
}
