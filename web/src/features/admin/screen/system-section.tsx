// The state of the server, for administrators: its load, its parts, the rejected submissions.
import type { Overview } from '#core/contract/index.ts';
import { useQuery } from '../../../lib/queries.ts';
import { api, ticker } from '../../../lib/services.ts';
import { useTicking } from '../../../lib/ticker.ts';
import { fullTime, relativeTime } from '../../../lib/time.ts';
import { Loaded } from '../../../ui/loaded.tsx';
import { ProcessTable } from '../parts/process-table.tsx';
import { Panel, PartStates } from '../parts/panel.tsx';
import { RejectedPanel } from '../parts/rejected-panel.tsx';

const REFRESH_MS = 5000;

export default function SystemSection() {
  const overview = useQuery({
    queryKey: ['admin', 'overview'],
    queryFn: async ({ signal }) => (await api('GET /admin/overview', { signal })).overview,
    refetchInterval: REFRESH_MS,
  });
  return (
    <>
      {overview.data === undefined ? null : (
        <Summary overview={overview.data} asOf={overview.dataUpdatedAt} />
      )}
      <Loaded
        query={overview}
        size="large"
        loading="Loading the state of the system"
        failure="Failed to fetch the state of the system"
        className="mb-4"
      >
        {(data) => <Panels overview={data} />}
      </Loaded>
    </>
  );
}

function Summary({ overview, asOf }: { overview: Overview; asOf: number }) {
  const since = useTicking(ticker, (now) => relativeTime(overview.startedAt, now));
  const time = new Date(asOf).toLocaleTimeString('en-US', { hour12: false });
  return (
    <p className="nums -mt-3 text-13 text-ink-3 md:-mt-4">
      Qinbox {overview.version}, {overview.size} ·{' '}
      <span data-hint={fullTime(overview.startedAt)}>started {since}</span> · as of {time}
    </p>
  );
}

function Panels({ overview }: { overview: Overview }) {
  const waiting = overview.queue.reduce((sum, { waiting: each }) => sum + each, 0);
  return (
    <div className="flex flex-col gap-4">
      <dl className="grid grid-cols-2 gap-px overflow-hidden rounded-lg border border-line-1 bg-line-1 lg:grid-cols-5">
        <Figure name="Created, last minute" value={overview.tasksCreated.lastMinute} />
        <Figure name="Created, last hour" value={overview.tasksCreated.lastHour} />
        <Figure name="Waiting in the queue" value={waiting} />
        <Figure name="Rejected, last 24 h" value={overview.rejected} alarming />
        <Figure name="Live connections" value={overview.liveConnections} wide />
      </dl>
      <div className="grid items-start gap-4 lg:grid-cols-2">
        <Panel title="Parts">
          <PartStates parts={overview.parts} />
        </Panel>
        <Panel title="Queue">
          <QueueDepth queue={overview.queue} />
        </Panel>
      </div>
      {overview.processes.length > 1 ? (
        <Panel title="Processes">
          <ProcessTable processes={overview.processes} />
        </Panel>
      ) : null}
      <RejectedPanel count={overview.rejected} />
    </div>
  );
}

interface FigureProps {
  name: string;
  value: number;
  /** Anything but 0 needs attention. */
  alarming?: boolean;
  wide?: boolean;
}

function Figure({ name, value, alarming = false, wide = false }: FigureProps) {
  return (
    <div className={`flex flex-col bg-surface-1 px-5 py-4 ${wide ? 'max-lg:col-span-2' : ''}`}>
      <dt className="order-last text-13 text-ink-2">{name}</dt>
      <dd className={`nums text-28 font-semibold ${alarming && value > 0 ? 'text-danger' : ''}`}>
        {value.toLocaleString('en-US')}
      </dd>
    </div>
  );
}

function QueueDepth({ queue }: Pick<Overview, 'queue'>) {
  if (queue.length === 0)
    return <p className="text-14 text-ink-2">Nothing waits: submissions are stored as they come.</p>;
  const silent = queue.filter(({ unanswered }) => unanswered > 0).map(({ adapter }) => adapter);
  return (
    <>
      <QueueTable queue={queue} />
      {silent.length === 0 ? null : (
        <p className="mt-3 text-14 text-danger">
          Part of the queue does not answer: more may wait from {silent.join(', ')}.
        </p>
      )}
    </>
  );
}

function QueueTable({ queue }: Pick<Overview, 'queue'>) {
  return (
    <table className="nums w-full text-14">
      <thead>
        <tr className="text-left text-13 text-ink-3">
          <th className="pb-1.5 font-normal">Adapter</th>
          <th className="pb-1.5 text-right font-normal">Waiting</th>
          <th className="pb-1.5 text-right font-normal">Active</th>
          <th className="pb-1.5 text-right font-normal">Oldest</th>
        </tr>
      </thead>
      <tbody>
        {queue.map(({ adapter, waiting, active, oldestMs }) => (
          <tr key={adapter} className="border-t border-line-1">
            <th scope="row" className="py-2 text-left font-medium">
              {adapter}
            </th>
            <td className="text-right">{waiting}</td>
            <td className="text-right">{active}</td>
            <td className="text-right">{oldestMs === 0 ? '–' : `${(oldestMs / 1000).toFixed(1)} s`}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
