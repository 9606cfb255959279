// Where a task came from and how long it lives; what it can be filtered by is a button.
import type { ReactNode } from 'react';
import { Link } from 'wouter';
import type { Task } from '#core/contract/index.ts';
import { sourceLabel } from '../../../../lib/labels.ts';
import { ticker } from '../../../../lib/services.ts';
import { useSession } from '../../../../lib/session/use-session.ts';
import { useTicking } from '../../../../lib/ticker.ts';
import { fullTime, isAsleep, parseTime, relativeTime, timeLeft } from '../../../../lib/time.ts';
import { CodeBlock } from '../../../../ui/code-block.tsx';
import { CopyButton } from '../../../../ui/copyable.tsx';
import { detailsOf } from '../../model/metadata-details.ts';
import type { TokenKind } from '../../model/search.ts';

interface TaskFactsProps {
  task: Task;
  onFilter: (kind: TokenKind, value: string) => void;
}

export function TaskFacts({ task, onFilter }: TaskFactsProps) {
  const { from, resolvedAt, verdicts, payload, others } = detailsOf(task);
  const age = useTicking(ticker, (now) => relativeTime(task.createdAt, now));
  const left = useTicking(ticker, (now) => timeLeft(parseTime(task.expiresAt) ?? Infinity, now));
  const reported = `${task.occurrences} times, last ${fullTime(task.lastOccurredAt)}`;
  return (
    <div className="flex flex-col gap-3">
      <dl className="grid grid-cols-[max-content_1fr] items-baseline gap-x-5 gap-y-1.5 text-13">
        {task.tags.length === 0 ? null : (
          <Fact name="Tags">
            <Tags tags={task.tags} onFilter={onFilter} />
          </Fact>
        )}
        <Fact name="Source">
          <FilterButton label={sourceLabel(task.source)} onClick={() => onFilter('source', task.source)} />
        </Fact>
        {task.intake === undefined ? null : (
          <Fact name="Intake">
            <Intake intake={task.intake} onFilter={onFilter} />
          </Fact>
        )}
        {from === null ? null : <Fact name="From">{from}</Fact>}
        <Fact name="Created">{`${fullTime(task.createdAt)} (${age})`}</Fact>
        {task.occurrences > 1 ? <Fact name="Reported">{reported}</Fact> : null}
        {resolvedAt === null ? null : <Fact name="Resolved">{fullTime(resolvedAt)}</Fact>}
        <Fact name="Expires">
          {task.pinned ? 'Pinned: stays until acknowledged' : `${fullTime(task.expiresAt)} (${left})`}
        </Fact>
        {task.snoozedUntil === null ? null : (
          <Fact name={isAsleep(task, ticker.now()) ? 'Snoozed until' : 'Back since'}>
            {fullTime(task.snoozedUntil)}
          </Fact>
        )}
        {verdicts.map(([name, text]) => (
          <Fact key={name} name={name}>
            {text}
          </Fact>
        ))}
        <Fact name="Id">
          <Id id={task.id} />
        </Fact>
      </dl>
      {payload === null ? null : <Disclosure title="Payload" text={payload} />}
      {others.length === 0 ? null : (
        <Disclosure title="Metadata" text={others.map(([name, value]) => `${name}: ${value}`).join('\n')} />
      )}
    </div>
  );
}

/** For touch, a line with buttons takes hardly more height than one of text. */
function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div className="contents">
      <dt className="py-0.5 text-ink-3 touch:py-1.5">{name}</dt>
      <dd className="min-w-0 py-0.5 wrap-anywhere touch:py-1.5 touch:has-[button]:-my-2">{children}</dd>
    </div>
  );
}

function Tags({ tags, onFilter }: { tags: readonly string[]; onFilter: TaskFactsProps['onFilter'] }) {
  return (
    <span translate="no" className="flex flex-wrap gap-x-3 gap-y-1">
      {tags.map((tag) => (
        <FilterButton key={tag} label={`#${tag}`} onClick={() => onFilter('tag', tag)} />
      ))}
    </span>
  );
}

/** With its delivery, for those who may look at intakes. */
function Intake({
  intake,
  onFilter,
}: {
  intake: NonNullable<Task['intake']>;
  onFilter: TaskFactsProps['onFilter'];
}) {
  const { method } = useSession();
  const { id, name, deliveryId } = intake;
  return (
    <span className="flex flex-wrap items-center gap-x-3 gap-y-1">
      <FilterButton label={name} onClick={() => onFilter('intake', name)} />
      {method === 'jwt' ? (
        <Link
          href={`/admin/intakes/${encodeURIComponent(id)}?delivery=${encodeURIComponent(deliveryId)}`}
          className="text-accent underline decoration-accent/40 underline-offset-3 hover:decoration-accent touch:inline-flex touch:min-h-11 touch:items-center"
        >
          Show delivery
        </Link>
      ) : null}
    </span>
  );
}

function FilterButton({ label, onClick }: { label: string; onClick: () => void }) {
  return (
    <button
      type="button"
      onClick={onClick}
      data-hint="Filter by it"
      className="rounded-[4px] text-left wrap-anywhere underline decoration-line-2 underline-offset-3 hover:decoration-ink-2 touch:min-h-11 touch:min-w-11"
    >
      {label}
    </button>
  );
}

function Id({ id }: { id: string }) {
  return (
    <span className="flex items-center gap-1">
      <span translate="no" className="font-mono">
        {id}
      </span>
      <span className="-my-1.5">
        <CopyButton text={id} label="Copy id" />
      </span>
    </span>
  );
}

function Disclosure({ title, text }: { title: string; text: string }) {
  return (
    <details>
      <summary className="w-fit rounded-sm py-1 touch:py-3 text-13 font-medium text-ink-2 hover:text-ink-1">
        {title}
      </summary>
      <div className="mt-1.5">
        <CodeBlock label={title} text={text} />
      </div>
    </details>
  );
}
