// The details of a delivery: facts, its tasks, and its request as plain text.
import { RotateCw } from 'lucide-react';
import type { Delivery, DeliveryRequest } from '#core/contract/index.ts';
import { problemWith } from '../../../../lib/api/api-error.ts';
import { fullTime } from '../../../../lib/time.ts';
import { useAction } from '../../../../lib/use-action.ts';
import { ProblemBanner } from '../../../../ui/banner.tsx';
import { Button } from '../../../../ui/button.tsx';
import { CodeBlock } from '../../../../ui/code-block.tsx';
import { Fact } from '../../../../ui/fact.tsx';
import { Loaded } from '../../../../ui/loaded.tsx';
import { notify } from '../../../../ui/toast.tsx';
import { useDelivery, useIntakeCalls } from '../../data/intakes.ts';
import { VERDICT_HINT, VERDICT_LABEL } from '../../model/labels.ts';
import { TaskLine } from './test-result.tsx';

const MAX_TASKS = 5;

const NOTE_LABEL = new Map([
  ['verification', 'Proof'],
  ['spf', 'SPF'],
  ['dkim', 'DKIM'],
  ['dmarc', 'DMARC'],
  ['test', 'Test'],
  ['replayOf', 'Replay of'],
]);

export function DeliveryDetails({ intakeId, delivery }: { intakeId: string; delivery: Delivery }) {
  const { replay } = useIntakeCalls();
  const { busy, problem, setProblem, run } = useAction();
  const { verdict, taskIds, notes, at, canReplay } = delivery;

  async function replayDelivery() {
    await run(async () => {
      const made = await replay(intakeId, delivery.id);
      void notify({
        text: `Replayed: ${VERDICT_LABEL[made.verdict].toLowerCase()}`,
        ...(made.reason === null ? {} : { detail: made.reason }),
      });
    }, problemWith('Failed to replay the delivery'));
  }

  return (
    <div className="flex flex-col gap-4 px-5 pt-1 pb-5 text-14 sm:pl-10">
      <dl className="grid grid-cols-[max-content_1fr] gap-x-6 gap-y-1">
        <Fact name="Received">{fullTime(at)}</Fact>
        <Fact name="Verdict">{VERDICT_HINT[verdict]}</Fact>
        {Object.entries(notes).map(([name, value]) => (
          <Fact key={name} name={NOTE_LABEL.get(name) ?? name}>
            {value}
          </Fact>
        ))}
      </dl>
      {taskIds.length === 0 ? null : (
        <div>
          <h3 className="font-semibold">{taskIds.length === 1 ? 'Task' : `${taskIds.length} tasks`}</h3>
          {taskIds.slice(0, MAX_TASKS).map((id) => (
            <TaskLine key={id} id={id} />
          ))}
          {taskIds.length > MAX_TASKS ? (
            <p className="mt-1.5 text-ink-3">and {taskIds.length - MAX_TASKS} more</p>
          ) : null}
        </div>
      )}
      <Loaded
        query={useDelivery(intakeId, delivery.id)}
        loading="Loading what was delivered"
        failure="Failed to fetch what was delivered"
      >
        {({ request }) =>
          request === null ? (
            <p className="text-ink-3">Nothing of what it carried was kept.</p>
          ) : (
            <Request request={request} />
          )
        }
      </Loaded>
      <ProblemBanner problem={problem} onDismiss={() => setProblem(null)} />
      {canReplay ? (
        <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
          <Button disabled={busy} onClick={() => void replayDelivery()}>
            <RotateCw size={15} aria-hidden className={busy ? 'turn' : ''} />
            Replay
          </Button>
          <p className="min-w-0 flex-1 basis-56 text-13 text-ink-3">
            Reads it again with the mapping of now, as a delivery of its own.
          </p>
        </div>
      ) : null}
    </div>
  );
}

function Request({ request }: { request: DeliveryRequest }) {
  const headers = Object.entries(request.headers)
    .map(([name, value]) => `${name}: ${value}`)
    .join('\n');
  const remarks = [
    request.contentType,
    ...(request.encoding === 'base64' ? ['as base64'] : []),
    ...(request.clipped ? ['only the beginning was kept'] : []),
  ];
  return (
    <>
      {headers === '' ? null : <Code title="Headers" text={headers} />}
      <Code title="Body" remark={remarks.join(', ')} text={readable(request)} />
    </>
  );
}

// JSON with its structure shown; anything else as it came.
function readable({ body, encoding, clipped }: DeliveryRequest): string {
  if (encoding === 'base64' || clipped) return body;
  try {
    return JSON.stringify(JSON.parse(body), null, 2);
  } catch {
    return body;
  }
}

function Code({ title, remark = '', text }: { title: string; remark?: string; text: string }) {
  return (
    <div>
      <h3 className="mb-1.5 font-semibold">
        {title} {remark === '' ? null : <span className="text-13 font-normal text-ink-3">{remark}</span>}
      </h3>
      <CodeBlock label={title} text={text === '' ? 'Empty' : text} />
    </div>
  );
}
