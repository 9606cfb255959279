// A task's text: never markup, web addresses as safe links, long text cut with a button to show all.
import { ExternalLink, TextAlignStart } from 'lucide-react';
import { useLayoutEffect, useMemo, useRef, useState } from 'react';
import { linkify, safeHref, type TextPart } from '../../../lib/linkify.ts';
import { onResized } from '../../../lib/resized.ts';
import { ShowAll } from '../../../ui/show-all.tsx';
import { LinkedText } from './linked-text.tsx';

/** More than three lines can show, and little enough to lay out ten thousand rows. */
const PREVIEW_CHARACTERS = 480;

/** The last word of a text, unless it is so long that it must be able to break. */
const LAST_WORD = /\S{1,24}$/;

interface RowTextProps {
  content: string;
  /** A link from the metadata. */
  url: unknown;
  tabbable: boolean;
  /** There is more to read in the open task. */
  hasMore: boolean;
  strong: boolean;
}

export function RowText({ content, url, tabbable, hasMore, strong }: RowTextProps) {
  const box = useRef<HTMLDivElement>(null);
  const [expanded, setExpanded] = useState(false);
  const [clipped, setClipped] = useState(false);
  const preview = content.length > PREVIEW_CHARACTERS && !expanded;
  const parts = useMemo(() => linkify(expanded ? content : previewOf(content)), [content, expanded]);
  const href = safeHref(url);
  const tabIndex = tabbable ? 0 : -1;
  const marked = href !== null || hasMore;
  const last = parts.at(-1);
  const lastWord = marked && last?.kind === 'text' ? (LAST_WORD.exec(last.text)?.[0] ?? '') : '';
  const shown: TextPart[] =
    lastWord === '' || last === undefined
      ? parts
      : [...parts.slice(0, -1), { kind: 'text', text: last.text.slice(0, -lastWord.length) }];

  useLayoutEffect(() => {
    const node = box.current;
    if (node === null || expanded) return;
    const lineHeight = Number.parseFloat(getComputedStyle(node).lineHeight);
    // "Show all" takes the room of a line, and a text of three lines is shown whole in its place. The half
    // is for lines that an emoji or a sign at their end makes higher.
    const measure = () => setClipped(preview || node.scrollHeight > 3.5 * lineHeight);
    measure();
    // The open task may take room from it, or the window.
    return onResized(node, measure);
  }, [content, expanded, preview]);

  return (
    <>
      <div
        ref={box}
        dir="auto"
        className={`text-16 wrap-anywhere whitespace-pre-line compact:text-14 ${strong ? 'font-semibold' : ''} ${expanded ? '' : clipped ? 'line-clamp-2' : 'line-clamp-3'}`}
      >
        <LinkedText parts={shown} tabIndex={tabIndex} />
        {marked ? (
          // Link and button stay on the line of the last word.
          <span className={lastWord === '' ? '' : 'whitespace-nowrap'}>
            {lastWord}
            {href === null ? null : (
              <a
                href={href}
                target="_blank"
                rel="noopener noreferrer"
                tabIndex={tabIndex}
                aria-label="Open link"
                data-hint={href}
                className="ml-1.5 inline-block align-[-2px] text-accent touch:-m-[0.9375rem] touch:-ml-[0.5625rem] touch:p-[0.9375rem]"
              >
                <ExternalLink size={15} aria-hidden />
              </a>
            )}
            {hasMore ? (
              <span className="ml-1.5 inline-block align-[-2px] text-ink-3" data-hint="There is more to read">
                <TextAlignStart size={15} aria-hidden />
                <span className="sr-only">, more to read</span>
              </span>
            ) : null}
          </span>
        ) : null}
      </div>
      {clipped || expanded ? (
        <ShowAll
          open={expanded}
          onToggle={() => setExpanded(!expanded)}
          tabIndex={tabIndex}
          className="mt-0.5 touch:-mt-1 touch:-mb-4"
        />
      ) : null}
    </>
  );
}

/** Without empty lines: they would take the place of text. */
function previewOf(content: string): string {
  return content.slice(0, PREVIEW_CHARACTERS).replaceAll(/\n\s*\n/g, '\n');
}
