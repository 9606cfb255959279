// A button that shows and hides what is below it; what is hidden is not drawn.
import { ChevronRight } from 'lucide-react';
import { useId, type ReactNode } from 'react';
import { Button } from './button.tsx';

interface DisclosureProps {
  text: string;
  /** The button's name, where its text alone does not tell it from others. */
  label: string;
  open: boolean;
  onToggle: () => void;
  children: ReactNode;
}

export function Disclosure({ text, label, open, onToggle, children }: DisclosureProps) {
  const id = useId();
  return (
    <>
      <Button
        kind="quiet"
        className="mt-1 -ml-2.5 px-2.5"
        aria-expanded={open}
        aria-controls={id}
        aria-label={label}
        onClick={onToggle}
      >
        <ChevronRight size={15} aria-hidden className={`transition-transform ${open ? 'rotate-90' : ''}`} />
        {text}
      </Button>
      <div id={id} hidden={!open}>
        {open ? children : null}
      </div>
    </>
  );
}
