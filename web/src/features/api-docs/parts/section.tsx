// A part of the page under a heading that can be linked to.
import { Fragment, type CSSProperties, type ReactNode } from 'react';

export const TEXT_LINK = 'font-medium text-accent underline underline-offset-3';

export function Section({ id, title, children }: { id: string; title: string; children: ReactNode }) {
  return (
    <section aria-labelledby={id} className="mt-12 first:mt-0">
      <div className="group/title flex items-baseline gap-2">
        <h2 id={id} className="scroll-mt-20 text-20 font-semibold tracking-[-0.01em]">
          {title}
        </h2>
        <SectionLink id={id} title={title} />
      </div>
      {children}
    </section>
  );
}

/** Many rows, which the browser lays out only where they are seen: the page is long. */
export function Rows({ count, children }: { count: number; children: ReactNode }) {
  return (
    <div
      style={{ '--rows': count } as CSSProperties}
      className="overflow-hidden rounded-md border border-line-1 bg-surface-1 [contain-intrinsic-block-size:auto_calc(var(--rows)*2.625rem)] [content-visibility:auto] max-sm:[contain-intrinsic-block-size:auto_calc(var(--rows)*3.75rem)]"
    >
      {children}
    </div>
  );
}

/** The address of a part of the page, for those who point at its heading or come to it by Tab. */
export function SectionLink({ id, title }: { id: string; title: string }) {
  return (
    <a
      href={`#${id}`}
      aria-label={`Link to ${title}`}
      className="rounded-sm px-1 text-16 text-ink-3 opacity-0 transition-opacity group-hover/title:opacity-100 hover:text-accent focus-visible:opacity-100 touch:hidden"
    >
      #
    </a>
  );
}

/** A path or the name of a field, which is broken before a slash or a dot and nowhere else. */
export function Joints({ text }: { text: string }) {
  return text.split(/(?=[/.])/).map((part, index) => (
    <Fragment key={`${index}${part}`}>
      {index === 0 ? null : <wbr />}
      {part}
    </Fragment>
  ));
}

/** Text of the document, in which backticks mark code. Code is broken between words only. */
export function Prose({ text }: { text: string }) {
  return text.split('`').map((part, index) =>
    index % 2 === 0 ? (
      part
    ) : (
      <code
        translate="no"
        key={`${index}${part}`}
        className="rounded-[4px] bg-surface-3 box-decoration-clone px-1 py-px font-mono text-[0.92em]"
      >
        <Words text={part} />
      </code>
    ),
  );
}

// A word that is wider than the line is the only one that has to break.
function Words({ text }: { text: string }) {
  return text.split(/(?<= )/).map((word, index) => (
    <span
      key={`${index}${word}`}
      className={word.length > LONGEST_IN_ONE_CHARACTERS ? 'wrap-break-word' : 'whitespace-nowrap'}
    >
      {word}
    </span>
  ));
}

const LONGEST_IN_ONE_CHARACTERS = 36;
