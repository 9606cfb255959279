// The address of an intake: copying, testing and replacing it, and its secrets.
import { KeyRound, Mail, RefreshCw, Send } from 'lucide-react';
import { useState } from 'react';
import type { Dispatched, Intake, IntakeKindInfo } from '#core/contract/index.ts';
import { problemOf, problemWith, type Problem } from '../../../../lib/api/api-error.ts';
import { fullTime } from '../../../../lib/time.ts';
import { useAction } from '../../../../lib/use-action.ts';
import { ProblemBanner } from '../../../../ui/banner.tsx';
import { Button, buttonClass } from '../../../../ui/button.tsx';
import { CopyButton, Copyable } from '../../../../ui/copyable.tsx';
import { knownSecrets, presetOf, useIntakeCalls } from '../../data/intakes.ts';
import { schemeFields, takesPreviousSecret } from '../../model/draft.ts';
import { isUnverified, UNVERIFIED, whyNoAddress } from '../../model/labels.ts';
import { ReachAdvice } from '../reach-advice.tsx';
import { FirstDelivery } from './first-delivery.tsx';
import { OtherAddresses } from './other-addresses.tsx';
import { RotateDialog } from './rotate-dialog.tsx';
import { SecretDialog } from './secret-dialog.tsx';
import { TestResult } from './test-result.tsx';

interface AddressPanelProps {
  intake: Intake;
  kind: IntakeKindInfo | null;
}

export function AddressPanel({ intake, kind }: AddressPanelProps) {
  const { test } = useIntakeCalls();
  const { busy, problem, setProblem, run } = useAction();
  const [tested, setTested] = useState<Dispatched | null>(null);
  const preset = presetOf(kind, intake.preset);

  async function sendTest() {
    await run(async () => setTested(await test(intake.id)), problemWith('Failed to send the test'));
  }

  return (
    <section
      aria-label="Address"
      className="flex flex-col gap-4 rounded-lg border border-line-1 bg-surface-1 p-5 sm:p-6"
    >
      <Address intake={intake} kind={kind} onProblem={setProblem} />
      <ReachAdvice intakes={[intake]} />
      <Secrets intake={intake} kind={kind} />
      {preset === null ? null : (
        <div className="text-14">
          <h2 className="font-semibold">At the sender</h2>
          <p className="mt-0.5 max-w-[46rem] wrap-anywhere text-ink-2">{withAddress(preset.setup, intake)}</p>
        </div>
      )}
      <OtherAddresses addresses={intake.otherAddresses} />
      <Commands intake={intake} kind={kind} isTesting={busy} onTest={() => void sendTest()} />
      <ProblemBanner problem={problem} onDismiss={() => setProblem(null)} />
      {tested === null ? null : <TestResult key={tested.deliveryId} dispatched={tested} />}
      <FirstDelivery intake={intake} />
    </section>
  );
}

/** The address, how its sender proves itself, and how long an old address and an old secret are good. */
function Address({
  intake,
  kind,
  onProblem,
}: AddressPanelProps & { onProblem: (problem: Problem | null) => void }) {
  const { edit } = useIntakeCalls();
  const { busy, run } = useAction();
  const missing = whyNoAddress(intake, kind);
  const scheme = kind?.schemes.find(({ id }) => id === intake.verification.scheme);

  async function endOldSecret() {
    onProblem(null);
    await run(
      () => edit(intake.id, { secretGraceMinutes: 0 }),
      (error) => {
        const problem = problemOf(error, 'Failed to end the old secret');
        onProblem(problem);
        return problem;
      },
    );
  }

  return (
    <div>
      <div className="flex items-center gap-2 rounded-md border border-line-1 bg-surface-2 py-2 pr-2 pl-4">
        {missing === null ? (
          <>
            <code
              translate="no"
              className="min-w-0 flex-1 py-1 font-mono text-14 wrap-anywhere select-all sm:text-16"
            >
              {intake.address}
            </code>
            <CopyButton text={intake.address} label="Copy address" />
          </>
        ) : (
          <p className="min-w-0 flex-1 py-1 text-14 text-ink-2">{missing}.</p>
        )}
      </div>
      <p className="mt-2 text-13 text-ink-3">
        {kind !== null && isUnverified(intake, kind)
          ? `${UNVERIFIED}.`
          : `Proof: ${scheme?.title ?? intake.verification.scheme}.`}{' '}
        {intake.previousAddressUntil === null
          ? ''
          : `The old address is good until ${fullTime(intake.previousAddressUntil)}.`}
      </p>
      {intake.previousSecretUntil === null ? null : (
        <p className="mt-1 flex flex-wrap items-center gap-x-2 text-13 text-ink-3">
          The old secret is good until {fullTime(intake.previousSecretUntil)}.
          <button
            type="button"
            disabled={busy}
            onClick={() => void endOldSecret()}
            className="font-medium text-danger underline-offset-2 hover:underline"
          >
            It has leaked: end it now
          </button>
        </p>
      )}
    </div>
  );
}

interface CommandsProps extends AddressPanelProps {
  isTesting: boolean;
  onTest: () => void;
}

function Commands({ intake, kind, isTesting, onTest }: CommandsProps) {
  const [rotating, setRotating] = useState(false);
  const [changing, setChanging] = useState(false);
  const { scheme } = intake.verification;
  const secretField =
    kind === null ? undefined : schemeFields(kind, scheme).find(({ name }) => name === 'secret');
  return (
    <div className="flex flex-wrap items-center gap-2">
      <Button disabled={isTesting} onClick={onTest}>
        <Send size={15} aria-hidden />
        {isTesting ? 'Sending…' : 'Send a test'}
      </Button>
      {intake.addressKind === 'email' && intake.address !== '' ? (
        <a
          href={`mailto:${intake.address}?subject=${encodeURIComponent('A first mail to Qinbox')}`}
          className={buttonClass()}
        >
          <Mail size={16} aria-hidden />
          Write a test mail
        </a>
      ) : null}
      <Button kind="quiet" className="max-sm:-ml-3.5 sm:-mr-3.5 sm:ml-auto" onClick={() => setRotating(true)}>
        <RefreshCw size={15} aria-hidden />
        New address…
      </Button>
      <RotateDialog intake={intake} open={rotating} onClose={() => setRotating(false)} />
      {kind === null || secretField === undefined ? null : (
        <>
          <Button kind="quiet" className="sm:-mr-3.5" onClick={() => setChanging(true)}>
            <KeyRound size={15} aria-hidden />
            New secret…
          </Button>
          <SecretDialog
            intake={intake}
            field={secretField}
            hasGrace={takesPreviousSecret(kind, scheme)}
            open={changing}
            onClose={() => setChanging(false)}
          />
        </>
      )}
    </div>
  );
}

// The setup of some senders is a command with the address in it.
function withAddress(setup: string, { address }: Intake): string {
  return setup.replaceAll('ADDRESS', address);
}

// Shown while this page knows them: from the creation of the intake until a reload.
function Secrets({ intake, kind }: AddressPanelProps) {
  const secrets = Object.entries(knownSecrets(intake.id) ?? {});
  if (kind === null || secrets.length === 0) return null;
  const fields = schemeFields(kind, intake.verification.scheme);
  return (
    <section
      aria-label="New secret"
      className="flex flex-col gap-2.5 rounded-md border border-accent/40 bg-accent-soft p-4"
    >
      {secrets.map(([name, value]) => {
        const title = fields.find((field) => field.name === name)?.title ?? name;
        return (
          <div key={name}>
            <p className="mb-1.5 text-14 font-semibold">{title}</p>
            <Copyable text={value} label={`Copy ${title.toLowerCase()}`} />
          </div>
        );
      })}
      <p className="text-13 text-ink-2">
        Copy it now, it is not shown again. If the sender gives you one of its own, put that under Settings
        below.
      </p>
    </section>
  );
}
