// One intake in the list: its name, address, last use and last outcome.
import { Link } from 'wouter';
import type { Intake, IntakeKindInfo } from '#core/contract/index.ts';
import { ticker } from '../../../lib/services.ts';
import { useTicking } from '../../../lib/ticker.ts';
import { fullTime, relativeTime } from '../../../lib/time.ts';
import { Code } from '../../../ui/code.tsx';
import { CopyButton } from '../../../ui/copyable.tsx';
import { KindIcon, PausedChip, UnverifiedChip, VerdictMark } from './chips.tsx';
import { kindOf, useDeliveries } from '../data/intakes.ts';
import { isUnverified, senderOf, whyNoAddress } from '../model/labels.ts';

interface IntakeRowProps {
  intake: Intake;
  kinds: readonly IntakeKindInfo[] | undefined;
  showsVerdict: boolean;
}

export function IntakeRow({ intake, kinds, showsVerdict }: IntakeRowProps) {
  const kind = kindOf(kinds, intake.adapter);
  const sender = senderOf(intake, kind);
  const missing = kinds === undefined ? null : whyNoAddress(intake, kind);
  return (
    <li className="grid grid-cols-[auto_1fr_auto] items-start gap-x-3 py-3">
      <span className="flex h-8 items-center self-start touch:h-11">
        <KindIcon kind={intake.address === '' && kind === null ? null : intake.addressKind} />
      </span>
      <div className="flex min-h-8 min-w-0 flex-wrap items-center gap-x-2.5 gap-y-1 text-14">
        <Link
          href={`/admin/intakes/${intake.id}`}
          className="inline-flex items-center rounded-sm touch:min-h-11 font-medium wrap-anywhere underline decoration-line-2 underline-offset-3 hover:decoration-accent"
        >
          {intake.name}
        </Link>
        {sender === intake.name ? null : <span className="text-13 text-ink-3">{sender}</span>}
        {intake.paused ? <PausedChip /> : null}
        {kind !== null && isUnverified(intake, kind) ? <UnverifiedChip /> : null}
      </div>
      {intake.address === '' ? (
        <p className="col-span-2 col-start-2 min-w-0 text-13 text-ink-2">{missing}</p>
      ) : (
        <>
          <CopyButton text={intake.address} label={`Copy address of ${intake.name}`} />
          <Code className="col-start-2 min-w-0 truncate text-13 text-ink-2">{intake.address}</Code>
        </>
      )}
      <p className="col-span-2 col-start-2 mt-1 flex flex-wrap gap-x-3 gap-y-0.5 text-13 text-ink-3">
        <LastUse at={intake.last_used_at} />
        {showsVerdict ? <LastVerdict id={intake.id} /> : null}
      </p>
    </li>
  );
}

function LastUse({ at }: { at: string | null }) {
  const text = useTicking(ticker, (now) =>
    at === null ? 'Never used' : `Last used ${relativeTime(at, now)}`,
  );
  return <span data-hint={at === null ? undefined : fullTime(at)}>{text}</span>;
}

function LastVerdict({ id }: { id: string }) {
  const { data } = useDeliveries(id);
  const last = data?.[0];
  if (last === undefined) return null;
  return (
    <span className="inline-flex min-w-0 items-center gap-1.5">
      <span className="sr-only">Last delivery: </span>
      <VerdictMark verdict={last.verdict} />
    </span>
  );
}
