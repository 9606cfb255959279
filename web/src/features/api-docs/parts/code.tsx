// Code and answers in colours, as text; what is shown may be masked, what is copied is whole.
import type { ReactNode } from 'react';
import { CopyButton } from '../../../ui/copyable.tsx';
import type { Language } from '../model/code.ts';
import { tokensOf, type TokenKind } from '../model/colour.ts';

// What scrolls needs the focus for its keys.
const SCROLLABLE = { tabIndex: 0, role: 'group' } as const;

const COLOUR: Record<TokenKind, string> = {
  plain: '',
  comment: 'text-ink-3',
  string: 'text-ok',
  number: 'text-warn',
  keyword: 'text-info',
  name: 'text-accent',
};

/** A longer text is shown plain: each piece in a colour is an element. */
const MAX_COLOURED_CHARACTERS = 60_000;

export function Coloured({ text, language }: { text: string; language: Language | 'json' }) {
  if (text.length > MAX_COLOURED_CHARACTERS) return text;
  return tokensOf(text, language).map(({ kind, text: part }, index) =>
    kind === 'plain' ? (
      part
    ) : (
      // The pieces have no names, and never change their order.
      <span key={index} className={COLOUR[kind]}>
        {part}
      </span>
    ),
  );
}

interface CodeFigureProps {
  title: string;
  /** As it is shown. */
  code: string;
  /** As it is copied. */
  whole?: string;
  language: Language | 'json';
  /** Beside the title. */
  children?: ReactNode;
}

export function CodeFigure({ title, code, whole = code, language, children }: CodeFigureProps) {
  return (
    <figure className="min-w-0 overflow-hidden rounded-md border border-line-1 bg-surface-1">
      <figcaption className="flex items-center justify-between gap-3 border-b border-line-1 py-1 pr-1.5 pl-3.5 text-14 text-ink-2">
        <span className="min-w-0 flex-1">{title}</span>
        {children}
        <CopyButton text={whole} label={`Copy: ${title}`} />
      </figcaption>
      <pre
        translate="no"
        {...SCROLLABLE}
        aria-label={title}
        className="max-h-[32rem] overflow-auto px-3.5 py-3 font-mono text-13 -outline-offset-2 max-sm:text-[0.75rem]"
      >
        <code translate="no">
          <Coloured text={code} language={language} />
        </code>
      </pre>
    </figure>
  );
}
