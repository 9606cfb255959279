// Code with a button that copies it and confirms it for two seconds.
import { Check, Copy } from 'lucide-react';
import { useEffect, useState } from 'react';

const CONFIRM_MS = 2000;

interface CopyableProps {
  text: string;
  /** The button's label: "Copy command". */
  label: string;
}

export function CopyButton({ text, label }: CopyableProps) {
  const [copied, setCopied] = useState(false);
  useEffect(() => {
    if (!copied) return;
    const timer = setTimeout(() => setCopied(false), CONFIRM_MS);
    return () => clearTimeout(timer);
  }, [copied]);

  async function copy() {
    try {
      await navigator.clipboard.writeText(text);
      setCopied(true);
    } catch {
      // Not allowed here (plain http): the text can be selected instead.
    }
  }

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

export function Copyable({ text, label }: CopyableProps) {
  return (
    <div className="flex items-start gap-2 rounded-md border border-line-1 bg-surface-2 py-1.5 pr-1.5 pl-3.5 text-left">
      <code className="min-w-0 flex-1 py-1.5 font-mono text-13 wrap-anywhere max-sm:text-[0.75rem] whitespace-pre-wrap select-all">
        {text}
      </code>
      <CopyButton text={text} label={label} />
    </div>
  );
}
