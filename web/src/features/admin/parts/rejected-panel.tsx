// Submissions that could not become tasks: read, then submitted again or discarded.
import { RotateCw } from 'lucide-react';
import { useState } from 'react';
import type { Rejected } from '#core/contract/index.ts';
import { queries, useQuery } from '../../../lib/queries.ts';
import { problemOf, problemWith } from '../../../lib/api/api-error.ts';
import { sourceLabel } from '../../../lib/labels.ts';
import { api } from '../../../lib/services.ts';
import { plural } from '../../../lib/text.ts';
import { fullTime } from '../../../lib/time.ts';
import { useAction } from '../../../lib/use-action.ts';
import { ProblemBanner } from '../../../ui/banner.tsx';
import { Button } from '../../../ui/button.tsx';
import { Code } from '../../../ui/code.tsx';
import { ConfirmItem } from '../../../ui/confirm.tsx';
import { notify } from '../../../ui/toast.tsx';
import { Panel } from './panel.tsx';

/** `count`: from the overview. Another number means that the list has changed. */
export function RejectedPanel({ count }: { count: number }) {
  const { busy, problem, setProblem, run } = useAction();
  const [active, setActive] = useState<string | null>(null);
  const [discarding, setDiscarding] = useState<Rejected | null>(null);
  const list = useQuery({
    queryKey: ['admin', 'rejected', count],
    queryFn: async ({ signal }) => (await api('GET /admin/rejected', { signal })).rejected,
    placeholderData: (before) => before,
  });

  async function act({ id }: Rejected, work: () => Promise<unknown>, done: string, failure: string) {
    setActive(id);
    if (await run(work, problemWith(failure))) void notify({ text: done });
    setActive(null);
    setDiscarding(null);
    await queries.invalidateQueries({ queryKey: ['admin'] });
  }
  const retry = (item: Rejected) => {
    const work = () => api('POST /admin/rejected/:id/retry', { params: { id: item.id } });
    return act(item, work, 'Submitted again', 'Failed to submit it again');
  };
  const discard = (item: Rejected) => {
    const work = () => api('DELETE /admin/rejected/:id', { params: { id: item.id } });
    return act(item, work, 'Discarded', 'Failed to discard it');
  };

  const items = list.data ?? [];
  const failed =
    problem ?? (list.error === null ? null : problemOf(list.error, 'Failed to fetch what was rejected'));
  return (
    <Panel title="Rejected submissions">
      <ProblemBanner className="mb-3" problem={failed} onDismiss={() => setProblem(null)} />
      {items.length === 0 && failed === null ? (
        <p className="text-14 text-ink-2">None in the last 24 hours.</p>
      ) : (
        <ul className="divide-y divide-line-1">
          {items.map((item) => (
            <Row
              key={item.id}
              item={item}
              busy={busy}
              retrying={active === item.id}
              onRetry={() => void retry(item)}
              onDiscard={() => setDiscarding(item)}
            />
          ))}
        </ul>
      )}
      <ConfirmItem
        item={discarding}
        title={() => 'Discard this submission'}
        question={() => 'What it says will be gone and no task will come of it. This cannot be undone.'}
        action="Discard"
        busy={busy}
        onCancel={() => setDiscarding(null)}
        onConfirm={(item) => void discard(item)}
      />
    </Panel>
  );
}

interface RowProps {
  item: Rejected;
  busy: boolean;
  retrying: boolean;
  onRetry: () => void;
  onDiscard: () => void;
}

function Row({ item, busy, retrying, onRetry, onDiscard }: RowProps) {
  return (
    <li className="flex flex-wrap items-start gap-x-4 gap-y-2 py-3 first:pt-0 last:pb-0">
      <div className="min-w-0 flex-1 basis-72">
        <p dir="auto" className="line-clamp-3 text-14 font-medium wrap-anywhere whitespace-pre-line">
          {item.content || 'No text'}
          {item.tasks > 1 ? ` and ${item.tasks - 1} more` : ''}
        </p>
        <p className="mt-0.5 text-14 wrap-anywhere text-danger">
          {item.reason} <Code className="text-13">{item.code}</Code>
        </p>
        <p className="mt-0.5 text-13 wrap-anywhere text-ink-3">
          {sourceLabel(item.adapter)} · for {item.owner ?? 'nobody known'} · {fullTime(item.rejectedAt)} ·{' '}
          {plural(item.attempts, 'attempt')} · <Code>{item.requestId}</Code>
        </p>
      </div>
      <div className="flex gap-2">
        <Button disabled={busy} onClick={onRetry}>
          <RotateCw size={15} aria-hidden className={retrying ? 'turn' : ''} />
          Retry
        </Button>
        <Button kind="danger" disabled={busy} onClick={onDiscard}>
          Discard
        </Button>
      </div>
    </li>
  );
}
