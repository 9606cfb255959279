// A key as it is printed on a keyboard.

interface KeysProps {
  /** For example "e" or "Shift Click". */
  keys: string;
  inverted?: boolean;
}

export function Keys({ keys, inverted = false }: KeysProps) {
  return (
    <span className="inline-flex gap-1">
      {keys.split(' ').map((key) => (
        <kbd
          translate="no"
          key={key}
          className={`min-w-5 rounded-[4px] px-1 text-center font-mono text-[0.75rem] leading-5 ${inverted ? 'bg-surface-1/18 text-surface-1' : 'border border-line-1 bg-surface-2 text-ink-2'}`}
        >
          {key}
        </kbd>
      ))}
    </span>
  );
}

/** The keys of a command beside its name; not on touch screens. */
export function KeyHint({ keys }: { keys: string | undefined }) {
  return keys === undefined ? null : (
    <span className="touch:hidden">
      <Keys keys={keys} />
    </span>
  );
}
