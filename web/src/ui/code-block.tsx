// Code or text from outside, as text. It scrolls, also by keyboard.

// A scrolling block needs the focus for its keys.
const SCROLLABLE = { tabIndex: 0, role: 'group' } as const;

interface CodeBlockProps {
  /** Its name for screen readers. */
  label: string;
  text: string;
}

export function CodeBlock({ label, text }: CodeBlockProps) {
  return (
    <pre
      translate="no"
      {...SCROLLABLE}
      aria-label={label}
      className="max-h-80 overflow-auto rounded-md border border-line-1 bg-surface-2 px-4 py-3 font-mono text-13 wrap-anywhere whitespace-pre-wrap"
    >
      {text}
    </pre>
  );
}
