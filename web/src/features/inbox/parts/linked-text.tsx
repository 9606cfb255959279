// Text with its web addresses as links.
import type { TextPart } from '../../../lib/linkify.ts';

interface LinkedTextProps {
  parts: readonly TextPart[];
  tabIndex?: number;
}

export function LinkedText({ parts, tabIndex = 0 }: LinkedTextProps) {
  return parts.map((part, index) =>
    part.kind === 'text' ? (
      part.text
    ) : (
      <a
        key={index}
        href={part.href}
        target="_blank"
        rel="noopener noreferrer"
        tabIndex={tabIndex}
        className="text-accent underline decoration-accent/40 underline-offset-3 hover:decoration-accent"
      >
        {part.text}
      </a>
    ),
  );
}
