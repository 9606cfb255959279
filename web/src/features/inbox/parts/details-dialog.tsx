// The details of a task: the whole text, its metadata and its dates. Text only.
import { Check, ExternalLink, Pencil } from 'lucide-react';
import type { ReactNode } from 'react';
import type { Task } from '#core/contract/index.ts';
import { linkify } from '../../../lib/linkify.ts';
import { PRIORITY_LABEL, sourceLabel } from '../../../lib/labels.ts';
import { fullTime } from '../../../lib/time.ts';
import { Button, buttonClass } from '../../../ui/button.tsx';
import { CodeBlock } from '../../../ui/code-block.tsx';
import { Dialog } from '../../../ui/dialog.tsx';
import { PriorityMark } from '../../../ui/priority-mark.tsx';
import { detailsOf } from '../model/metadata-details.ts';
import { LinkedText } from './linked-text.tsx';

interface DetailsDialogProps {
  task: Task;
  onClose: () => void;
  onAcknowledge: () => void;
  onEdit: () => void;
}

export default function DetailsDialog({ task, onClose, onAcknowledge, onEdit }: DetailsDialogProps) {
  const { from, url, resolvedAt, body, verdicts, payload, others } = detailsOf(task);
  const facts: (readonly [string, string | null])[] = [
    ['Source', sourceLabel(task.source)],
    ['Created', fullTime(task.createdAt)],
    [
      'Reported',
      task.occurrences > 1 ? `${task.occurrences} times, last ${fullTime(task.lastOccurredAt)}` : null,
    ],
    ['Resolved', resolvedAt && fullTime(resolvedAt)],
    ['Expires', task.pinned ? 'Pinned: stays until acknowledged' : fullTime(task.expiresAt)],
    ['Tags', task.tags.join(', ') || null],
    ['From', from],
    ...verdicts,
    ['Id', task.id],
  ];
  return (
    <Dialog open onClose={onClose} size="2xl" title="Details">
      <div className="flex flex-col gap-5">
        <div className="flex items-start gap-3">
          <span className="flex h-6 items-center">
            <PriorityMark priority={task.priority} />
            <span className="sr-only">{PRIORITY_LABEL[task.priority]} priority</span>
          </span>
          <Prose
            text={task.content}
            className="max-h-[40vh] min-w-0 flex-1 overflow-y-auto text-16 font-medium"
          />
        </div>
        {body === null ? null : (
          <Part title="Message">
            <Prose
              text={body}
              className="max-h-[40vh] overflow-y-auto rounded-md bg-surface-2 px-4 py-3 text-14"
            />
          </Part>
        )}
        <dl className="grid grid-cols-[max-content_1fr] gap-x-6 gap-y-1.5 text-14">
          {facts.map(([name, value]) =>
            value === null ? null : (
              <div key={name} className="contents">
                <dt className="text-ink-3">{name}</dt>
                <dd className="min-w-0 wrap-anywhere">{value}</dd>
              </div>
            ),
          )}
        </dl>
        {payload === null ? null : (
          <Part title="Payload">
            <CodeBlock label="Code" text={payload} />
          </Part>
        )}
        {others.length === 0 ? null : (
          <Part title="Metadata">
            <CodeBlock label="Code" text={others.map(([name, value]) => `${name}: ${value}`).join('\n')} />
          </Part>
        )}
        <div className="flex flex-wrap justify-end gap-2">
          {url === null ? null : (
            <a
              href={url}
              target="_blank"
              rel="noopener noreferrer"
              className={buttonClass('secondary', 'mr-auto')}
              data-hint={url}
            >
              <ExternalLink size={16} aria-hidden />
              Open link
            </a>
          )}
          <Button onClick={onEdit}>
            <Pencil size={15} aria-hidden />
            Edit
          </Button>
          <Button kind="primary" onClick={onAcknowledge}>
            <Check size={17} aria-hidden />
            Acknowledge
          </Button>
        </div>
      </div>
    </Dialog>
  );
}

function Part({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section>
      <h3 className="mb-1.5 text-14 font-semibold">{title}</h3>
      {children}
    </section>
  );
}

// What scrolls must be reachable by keyboard; a text has nothing in it that is.
const SCROLLS = { tabIndex: 0, role: 'group' } as const;

function Prose({ text, className }: { text: string; className: string }) {
  return (
    <div
      {...SCROLLS}
      aria-label="Text"
      dir="auto"
      className={`wrap-anywhere whitespace-pre-wrap ${className}`}
    >
      <LinkedText parts={linkify(text)} />
    </div>
  );
}
