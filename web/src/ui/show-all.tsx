// The button below a cut text: it shows all of it, and less again.

interface ShowAllProps {
  text?: string;
  open: boolean;
  onToggle: () => void;
  tabIndex?: number | undefined;
  /** Its distance from what stands around it. */
  className: string;
}

export function ShowAll({ text = 'Show all', open, onToggle, tabIndex, className }: ShowAllProps) {
  return (
    <button
      type="button"
      tabIndex={tabIndex}
      aria-expanded={open}
      onClick={onToggle}
      className={`min-h-6 touch:relative touch:min-h-11 rounded-[4px] text-13 text-ink-2 underline decoration-line-2 underline-offset-3 hover:text-ink-1 ${className}`}
    >
      {open ? 'Show less' : text}
    </button>
  );
}
