// A key, a secret or a link that is shown once. It comes into sight by itself.
import { useEffect, useRef, type ReactNode } from 'react';
import { Button } from './button.tsx';
import { Copyable } from './copyable.tsx';

interface ShownOnceProps {
  /** Its name for screen readers. */
  label: string;
  text: string;
  copyLabel: string;
  /** What it is, and what to do with it. */
  children: ReactNode;
  /** Below the text. */
  note?: ReactNode;
  /** In the button that takes it away. */
  done: string;
  onDone: () => void;
}

export function ShownOnce({ label, text, copyLabel, children, note, done, onDone }: ShownOnceProps) {
  const panel = useRef<HTMLElement>(null);
  useEffect(() => {
    panel.current?.scrollIntoView({ block: 'nearest' });
  }, [text]);
  return (
    <section
      ref={panel}
      data-notice
      aria-label={label}
      className="scroll-mt-20 scroll-mb-6 rounded-md border border-accent/40 bg-accent-soft p-4"
    >
      <p className="mb-2.5 text-14 wrap-anywhere">{children}</p>
      <Copyable text={text} label={copyLabel} />
      {note}
      <Button kind="quiet" className="mt-2 -ml-2" onClick={onDone}>
        {done}
      </Button>
    </section>
  );
}
