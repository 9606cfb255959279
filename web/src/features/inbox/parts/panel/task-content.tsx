// What a task says: its first line as the title, the rest and the body under it.
import { ExternalLink } from 'lucide-react';
import type { Task } from '#core/contract/index.ts';
import { linkify } from '../../../../lib/linkify.ts';
import { buttonClass } from '../../../../ui/button.tsx';
import { detailsOf } from '../../model/metadata-details.ts';
import { LinkedText } from '../linked-text.tsx';
import { Markdown } from './markdown.tsx';

/** Those of a Markdown heading, which the title is in any case. */
const HEADING_MARKS = /^#{1,6}\s+(?=\S)/;

/** A first line that is longer is no title. */
const LONGEST_TITLE = 300;

export function TaskContent({ task }: { task: Task }) {
  const { url, body } = detailsOf(task);
  const { title, rest } = titleOf(task.content);
  return (
    <div className="mb-5 flex flex-col gap-4" dir="auto">
      {title === '' ? null : (
        <h2
          dir="auto"
          className={`text-16 wrap-anywhere ${task.priority === 'high' ? 'font-semibold' : 'font-medium'}`}
        >
          <LinkedText parts={linkify(title.replace(HEADING_MARKS, ''))} />
        </h2>
      )}
      {rest === '' ? null : <Markdown text={rest} />}
      {url === null ? null : (
        <a
          href={url}
          target="_blank"
          rel="noopener noreferrer"
          data-hint={url}
          className={buttonClass('secondary', 'self-start touch:min-h-11')}
        >
          <ExternalLink size={16} aria-hidden />
          Open link
        </a>
      )}
      {body === null ? null : (
        <section aria-label="Message" className="rounded-md bg-surface-2 px-4 py-3">
          <Markdown text={body} />
        </section>
      )}
    </div>
  );
}

function titleOf(content: string): { title: string; rest: string } {
  const end = content.indexOf('\n');
  const title = end === -1 ? content : content.slice(0, end);
  if (title.length > LONGEST_TITLE) return { title: '', rest: content };
  return { title, rest: content.slice(title.length).trim() };
}
