// Text with its web addresses as links.
import type { TextPart } from '../../../lib/linkify.ts';

export function LinkedText({ parts, tabIndex = 0 }: { parts: readonly TextPart[]; tabIndex?: number }) {
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
