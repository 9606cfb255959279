// The address of an intake and what to do with it: copy it, take it to the sender, try it, change it.
import { KeyRound, Mail, RefreshCw, Send } from 'lucide-react';
import { useState } from 'react';
import type { Dispatched, Intake, IntakeKindInfo } from '#core/contract/index.ts';
import { problemOf, type Problem } from '../../../../lib/api/api-error.ts';
import { fullTime } from '../../../../lib/time.ts';
import { Banner, ProblemText } from '../../../../ui/banner.tsx';
import { Button, buttonClass } from '../../../../ui/button.tsx';
import { CopyButton, Copyable } from '../../../../ui/copyable.tsx';
import { knownSecrets, presetOf, useIntakeCalls } from '../../data/intakes.ts';
import { schemeFields, takesPreviousSecret } from '../../model/draft.ts';
import { isUnverified, UNVERIFIED, whyNoAddress } from '../../model/labels.ts';
import { FirstDelivery } from './first-delivery.tsx';
import { RotateDialog } from './rotate-dialog.tsx';
import { SecretDialog } from './secret-dialog.tsx';
import { TestResult } from './test-result.tsx';

interface AddressPanelProps {
  intake: Intake;
  kind: IntakeKindInfo | null;
}

export function AddressPanel({ intake, kind }: AddressPanelProps) {
  const { test, edit } = useIntakeCalls();
  const [rotating, setRotating] = useState(false);
  const [changing, setChanging] = useState(false);
  const [ending, setEnding] = useState(false);
  const [testing, setTesting] = useState(false);
  const [tested, setTested] = useState<Dispatched | null>(null);
  const [problem, setProblem] = useState<Problem | null>(null);
  const preset = presetOf(kind, intake.preset);
  const scheme = kind?.schemes.find(({ id }) => id === intake.verification.scheme);
  const isEmail = intake.addressKind === 'email' && intake.address !== '';
  const missing = whyNoAddress(intake, kind);
  const secretField =
    kind === null
      ? undefined
      : schemeFields(kind, intake.verification.scheme).find(({ name }) => name === 'secret');

  async function endOldSecret() {
    setEnding(true);
    setProblem(null);
    try {
      await edit(intake.id, { secretGraceMinutes: 0 });
    } catch (error) {
      setProblem(problemOf(error, 'Failed to end the old secret'));
    } finally {
      setEnding(false);
    }
  }

  async function sendTest() {
    setTesting(true);
    setProblem(null);
    try {
      setTested(await test(intake.id));
    } catch (error) {
      setProblem(problemOf(error, 'Failed to send the test'));
    } finally {
      setTesting(false);
    }
  }

  return (
    <section
      aria-label="Address"
      className="flex flex-col gap-4 rounded-lg border border-line-1 bg-surface-1 p-5 sm:p-6"
    >
      <div>
        <div className="flex items-center gap-2 rounded-md border border-line-1 bg-surface-2 py-2 pr-2 pl-4">
          {missing === null ? (
            <>
              <code className="min-w-0 flex-1 py-1 font-mono text-14 wrap-anywhere select-all sm:text-16">
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
              disabled={ending}
              onClick={() => void endOldSecret()}
              className="font-medium text-danger underline-offset-2 hover:underline"
            >
              It has leaked: end it now
            </button>
          </p>
        )}
      </div>
      <Secrets intake={intake} kind={kind} />
      {preset === null ? null : (
        <div className="text-14">
          <h2 className="font-semibold">At the sender</h2>
          <p className="mt-0.5 max-w-[46rem] wrap-anywhere text-ink-2">{withAddress(preset.setup, intake)}</p>
        </div>
      )}
      <div className="flex flex-wrap items-center gap-2">
        <Button disabled={testing} onClick={() => void sendTest()}>
          <Send size={15} aria-hidden />
          {testing ? 'Sending…' : 'Send a test'}
        </Button>
        {isEmail ? (
          <a
            href={`mailto:${intake.address}?subject=${encodeURIComponent('A first mail to Qinbox')}`}
            className={buttonClass()}
          >
            <Mail size={16} aria-hidden />
            Write a test mail
          </a>
        ) : null}
        <Button
          kind="quiet"
          className="max-sm:-ml-3.5 sm:-mr-3.5 sm:ml-auto"
          onClick={() => setRotating(true)}
        >
          <RefreshCw size={15} aria-hidden />
          New address…
        </Button>
        {kind === null || secretField === undefined ? null : (
          <Button kind="quiet" className="sm:-mr-3.5" onClick={() => setChanging(true)}>
            <KeyRound size={15} aria-hidden />
            New secret…
          </Button>
        )}
      </div>
      {problem === null ? null : (
        <Banner tone="danger" onDismiss={() => setProblem(null)}>
          <ProblemText {...problem} />
        </Banner>
      )}
      {tested === null ? null : <TestResult key={tested.deliveryId} dispatched={tested} />}
      <FirstDelivery intake={intake} />
      <RotateDialog intake={intake} open={rotating} onClose={() => setRotating(false)} />
      {kind === null || secretField === undefined ? null : (
        <SecretDialog
          intake={intake}
          field={secretField}
          hasGrace={takesPreviousSecret(kind, intake.verification.scheme)}
          open={changing}
          onClose={() => setChanging(false)}
        />
      )}
    </section>
  );
}

// Some senders are told by a command that has the address in it.
function withAddress(setup: string, { address }: Intake): string {
  return setup.replaceAll('ADDRESS', address);
}

// Shown as long as this page knows them: from the moment the intake was made until a reload.
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
