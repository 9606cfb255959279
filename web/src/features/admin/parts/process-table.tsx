// The processes of an installation, each with what it counts.
import type { Overview } from '#core/contract/index.ts';
import { ticker } from '../../../lib/services.ts';
import { useTicking } from '../../../lib/ticker.ts';
import { fullTime, relativeTime } from '../../../lib/time.ts';

type Processes = Overview['processes'];

export function ProcessTable({ processes }: { processes: Processes }) {
  return (
    <div className="overflow-x-auto">
      <table className="nums w-full text-14">
        <thead>
          <tr className="text-left text-13 text-ink-3">
            <th className="pb-1.5 font-normal">Process</th>
            <th className="px-3 pb-1.5 font-normal">Roles</th>
            <th className="px-3 pb-1.5 font-normal">Version</th>
            <th className="px-3 pb-1.5 font-normal">Started</th>
            <th className="px-3 pb-1.5 text-right font-normal">Live</th>
            <th className="pb-1.5 text-right font-normal">Tasks, last hour</th>
          </tr>
        </thead>
        <tbody>
          {processes.map((process) => (
            <ProcessRow key={process.instance} process={process} />
          ))}
        </tbody>
      </table>
    </div>
  );
}

function ProcessRow({ process }: { process: Processes[number] }) {
  const { instance, role, version, startedAt, liveConnections, tasksCreated } = process;
  const since = useTicking(ticker, (now) => relativeTime(startedAt, now));
  return (
    <tr className="border-t border-line-1">
      <th scope="row" className="py-2 text-left font-medium">
        {instance}
      </th>
      <td className="px-3">{role.replaceAll(',', ', ')}</td>
      <td className="px-3">{version}</td>
      <td className="px-3" data-hint={fullTime(startedAt)}>
        {since}
      </td>
      <td className="px-3 text-right">{liveConnections}</td>
      <td className="text-right">{tasksCreated.lastHour}</td>
    </tr>
  );
}
