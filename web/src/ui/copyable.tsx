// Code with a button that copies it and confirms it for two seconds.
import { Check, Copy } from 'lucide-react';
import { useEffect, useState, type ReactNode } from 'react';
import { copyText } from '../lib/clipboard.ts';
import { OPEN_MODAL } from '../lib/shortcuts.ts';

const CONFIRM_MS = 2000;
const SCROLLABLE = { tabIndex: 0 } as const;

interface CopyableProps {
  text: string;
  /** The button's label: "Copy command". */
  label: string;
}

/** Copying a text, and whether that was done a moment ago. `copy` resolves with whether it is allowed. */
export function useCopy(text: string) {
  const [copied, setCopied] = useState(false);
  useEffect(() => {
    if (!copied) return;
    const timer = setTimeout(() => setCopied(false), CONFIRM_MS);
    return () => clearTimeout(timer);
  }, [copied]);

  async function copy() {
    const isCopied = await copyText(text, document.querySelector(OPEN_MODAL) ?? undefined);
    if (isCopied) setCopied(true);
    return isCopied;
  }

  return { copied, copy };
}

export function CopyButton({ text, label }: CopyableProps) {
  const { copied, copy } = useCopy(text);
  return (
    <button
      type="button"
      aria-label={copied ? 'Copied' : label}
      onClick={() => void copy()}
      className="inline-flex size-8 touch:size-11 shrink-0 items-center justify-center rounded-sm text-ink-2 transition-colors hover:bg-surface-3 hover:text-ink-1"
    >
      {copied ? <Check size={16} className="text-ok" aria-hidden /> : <Copy size={16} aria-hidden />}
    </button>
  );
}

/** `lines`: the text as it is shown, where it is to be broken nowhere else; it scrolls if it must. */
export function Copyable({ text, label, lines }: CopyableProps & { lines?: ReactNode }) {
  const wrapping =
    lines === undefined ? 'wrap-anywhere whitespace-pre-wrap' : 'overflow-x-auto whitespace-pre';
  return (
    <div className="flex items-start gap-2 rounded-md border border-line-1 bg-surface-2 py-1.5 pr-1.5 pl-3.5 text-left">
      <code
        translate="no"
        // What scrolls needs the focus for its keys.
        {...(lines === undefined ? {} : SCROLLABLE)}
        className={`min-w-0 flex-1 rounded-sm py-1.5 font-mono text-13 max-sm:text-[0.75rem] select-all ${wrapping}`}
      >
        {lines ?? text}
      </code>
      <CopyButton text={text} label={label} />
    </div>
  );
}
