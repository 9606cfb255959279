// A part of the page under a heading that can be linked to.
import type { ReactNode } from 'react';

export function Section({ id, title, children }: { id: string; title: string; children: ReactNode }) {
  return (
    <section aria-labelledby={id} className="mt-12 first:mt-0">
      <h2 id={id} className="scroll-mt-20 text-20 font-semibold tracking-[-0.01em]">
        {title}
      </h2>
      {children}
    </section>
  );
}

/** Longer code breaks where it must, so that it fits a phone. */
const LONGEST_IN_ONE_CHARACTERS = 24;

/** Text of the document, in which backticks mark code. */
export function Prose({ text }: { text: string }) {
  return text.split('`').map((part, index) =>
    index % 2 === 0 ? (
      part
    ) : (
      <code
        key={`${index}${part}`}
        className={`rounded-[4px] bg-surface-3 box-decoration-clone px-1 py-px font-mono text-[0.92em] ${part.length > LONGEST_IN_ONE_CHARACTERS ? 'wrap-anywhere' : 'whitespace-nowrap'}`}
      >
        {part}
      </code>
    ),
  );
}
