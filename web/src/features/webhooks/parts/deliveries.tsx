// What was sent to a webhook in the last day: a line for each event, and behind it what came back.
import { ChevronRight, CircleCheck, Clock, RotateCw, TriangleAlert } from 'lucide-react';
import { useEffect, useId, useRef, useState } from 'react';
import type { Webhook, WebhookDelivery } from '#core/contract/index.ts';
import { problemWith } from '../../../lib/api/api-error.ts';
import { ticker } from '../../../lib/services.ts';
import { plural } from '../../../lib/text.ts';
import { useTicking } from '../../../lib/ticker.ts';
import { fullTime, relativeTime } from '../../../lib/time.ts';
import { useAction } from '../../../lib/use-action.ts';
import { ProblemBanner } from '../../../ui/banner.tsx';
import { Button } from '../../../ui/button.tsx';
import { Code } from '../../../ui/code.tsx';
import { CodeBlock } from '../../../ui/code-block.tsx';
import { Fact } from '../../../ui/fact.tsx';
import { Loaded } from '../../../ui/loaded.tsx';
import { useDeliveries, useWebhookCalls } from '../data/webhooks.ts';

export function Deliveries({ webhook }: { webhook: Webhook }) {
  const query = useDeliveries(webhook.id);
  useFreshWebhooks(webhook, query.data ?? []);
  return (
    <Loaded
      query={query}
      loading="Loading deliveries"
      failure="Failed to fetch the deliveries"
      className="py-3"
    >
      {(deliveries) =>
        deliveries.length === 0 ? (
          <p className="pt-3 text-14 text-ink-2">
            Nothing was sent in the last 24 hours. Send a test to see what it gets.
          </p>
        ) : (
          <ul
            aria-label={`Deliveries to ${webhook.name}`}
            className="mt-3 divide-y divide-line-1 border-t border-line-1"
          >
            {deliveries.map((delivery) => (
              <DeliveryRow key={delivery.id} webhookId={webhook.id} delivery={delivery} />
            ))}
          </ul>
        )
      }
    </Loaded>
  );
}

/** The list was fetched before the first delivery. */
function useFreshWebhooks({ lastDeliveredAt }: Webhook, deliveries: readonly WebhookDelivery[]): void {
  const { refresh } = useWebhookCalls();
  const isBehind = lastDeliveredAt === null && deliveries.some(({ status }) => status === 'delivered');
  const latest = useRef(refresh);
  useEffect(() => {
    latest.current = refresh;
  });
  useEffect(() => {
    if (isBehind) void latest.current();
  }, [isBehind]);
}

const STATUS = {
  waiting: { Icon: Clock, label: 'Waiting', colour: 'text-ink-3' },
  delivered: { Icon: CircleCheck, label: 'Delivered', colour: 'text-ok' },
  failed: { Icon: TriangleAlert, label: 'Given up', colour: 'text-warn' },
};

function DeliveryRow({ webhookId, delivery }: { webhookId: string; delivery: WebhookDelivery }) {
  const id = useId();
  const [open, setOpen] = useState(false);
  const { status, event, at, attempts } = delivery;
  const { Icon, label, colour } = STATUS[status];
  const when = useTicking(ticker, (now) => relativeTime(at, now));
  return (
    <li>
      <button
        type="button"
        aria-expanded={open}
        aria-controls={id}
        onClick={() => setOpen(!open)}
        className="grid w-full grid-cols-[auto_1fr_auto] items-center gap-x-3 rounded-sm py-2 text-left text-14 transition-colors hover:bg-surface-2/60 touch:min-h-11"
      >
        <span className="flex items-center gap-1.5">
          <ChevronRight
            size={15}
            aria-hidden
            className={`shrink-0 text-ink-3 transition-transform ${open ? 'rotate-90' : ''}`}
          />
          <Icon size={16} aria-hidden className={`shrink-0 ${colour}`} />
          {label}
        </span>
        <span className="min-w-0 text-ink-2">
          <Code className="text-13 wrap-anywhere">{event}</Code>
          {attempts > 1 ? <span className="nums ml-2 text-13">{plural(attempts, 'attempt')}</span> : null}
        </span>
        <span className="text-13 whitespace-nowrap text-ink-3" data-hint={fullTime(at)}>
          {when}
        </span>
      </button>
      <div id={id} hidden={!open}>
        {open ? <Details webhookId={webhookId} delivery={delivery} /> : null}
      </div>
    </li>
  );
}

function Details({ webhookId, delivery }: { webhookId: string; delivery: WebhookDelivery }) {
  const { replay } = useWebhookCalls();
  const { busy, problem, setProblem, run } = useAction();
  const { answer, lastAttemptAt, nextAttemptAt, taskId, status } = delivery;
  return (
    <div className="flex flex-col gap-3 pt-1 pb-4 pl-5 text-14">
      <dl className="grid grid-cols-[max-content_1fr] gap-x-6 gap-y-1">
        <Fact name="webhook-id">
          <Code className="text-13">{delivery.id}</Code>
        </Fact>
        {taskId === null ? null : (
          <Fact name="Task">
            <Code className="text-13">{taskId}</Code>
          </Fact>
        )}
        {lastAttemptAt === null ? null : <Fact name="Last attempt">{fullTime(lastAttemptAt)}</Fact>}
        {nextAttemptAt === null ? null : <Fact name="Next attempt">{fullTime(nextAttemptAt)}</Fact>}
        {answer === null ? null : (
          <Fact name="Answer">
            {answer.status === null ? 'None' : `Status ${answer.status}`}, after {answer.ms} ms
            {answer.error === null ? null : <span className="block text-ink-2">{answer.error}</span>}
          </Fact>
        )}
      </dl>
      {answer === null || answer.body === '' ? null : (
        <CodeBlock label="How the answer began" text={answer.body} />
      )}
      <ProblemBanner problem={problem} onDismiss={() => setProblem(null)} />
      <Button
        className="self-start"
        disabled={busy || (status === 'waiting' && lastAttemptAt === null)}
        onClick={() => void run(() => replay(webhookId, delivery.id), problemWith('Failed to send it again'))}
      >
        <RotateCw size={15} aria-hidden className={busy ? 'turn' : ''} />
        Send again
      </Button>
    </div>
  );
}
