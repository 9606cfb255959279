// The first steps of somebody new, which tick themselves.
import { Check, X } from 'lucide-react';
import { useRef } from 'react';
import { Link } from 'wouter';
import { Button, buttonClass } from '../../../ui/button.tsx';
import { useFirstSteps, useStepsOffer, type Step, type StepId } from '../data/use-first-steps.ts';

const TEXTS: Record<StepId, { title: string; hint: string; done: string }> = {
  key: {
    title: 'An API key',
    hint: 'Scripts and cron jobs send with it.',
    done: 'Scripts and cron jobs can send.',
  },
  intake: {
    title: 'An intake',
    hint: 'An address for mails or webhooks.',
    done: 'Mails or webhooks have an address.',
  },
  notifications: {
    title: 'Notifications',
    hint: 'For high priority items.',
    done: 'On in this browser.',
  },
};

interface FirstStepsProps {
  /** The queue was never used. */
  isNew?: boolean;
  /** Where the focus goes. */
  onDismissed: () => void;
}

export function FirstSteps({ isNew = false, onDismissed }: FirstStepsProps) {
  const { isOffered, dismiss } = useStepsOffer(isNew);
  if (!isOffered) return null;
  return (
    <StepList
      isNew={isNew}
      onDismiss={() => {
        dismiss();
        onDismissed();
      }}
    />
  );
}

function StepList({ isNew, onDismiss }: { isNew: boolean; onDismiss: () => void }) {
  const { steps, isShown, notifications } = useFirstSteps();
  const heading = useRef<HTMLHeadingElement>(null);
  if (!isShown) return null;

  // The pressed button goes with its purpose.
  async function turnOn() {
    if (await notifications.ask()) heading.current?.focus();
  }

  const done = steps.filter(({ isDone }) => isDone === true).length;
  return (
    <section
      aria-labelledby="first-steps"
      className="mt-8 w-full rounded-md border border-line-1 bg-surface-1 text-left"
    >
      <div className="flex items-center gap-3 border-b border-line-1 py-1.5 pr-1.5 pl-4">
        <h3 ref={heading} tabIndex={-1} id="first-steps" className="text-14 font-semibold outline-none">
          First steps
        </h3>
        <p role="status" className="flex-1 text-13 text-ink-2 tabular-nums">
          {done} of {steps.length} done
        </p>
        <button
          type="button"
          aria-label="Dismiss the first steps"
          data-hint="Dismiss"
          onClick={onDismiss}
          className="inline-flex size-8 items-center justify-center rounded-sm text-ink-2 transition-colors hover:bg-surface-2 hover:text-ink-1 touch:size-11"
        >
          <X size={16} aria-hidden />
        </button>
      </div>
      <ol className="divide-y divide-line-1">
        {steps.map((step, index) => (
          <StepRow
            key={step.id}
            step={step}
            number={index + 1}
            hint={step.id === 'notifications' ? notificationsHint(notifications) : TEXTS[step.id].hint}
          >
            {step.id === 'key' && !isNew ? (
              <Link href="/admin" className={buttonClass('secondary', 'touch:h-11')}>
                Settings
              </Link>
            ) : null}
            {step.id === 'intake' ? (
              <Link href="/admin/intakes/new" className={buttonClass('secondary', 'touch:h-11')}>
                New intake
              </Link>
            ) : null}
            {step.id === 'notifications' ? <TurnOn notifications={notifications} onPress={turnOn} /> : null}
          </StepRow>
        ))}
      </ol>
      {notifications.refused ? (
        <p role="alert" className="border-t border-line-1 px-4 py-2.5 text-13">
          The browser does not allow notifications from this address. Its settings for this site can change
          that.
        </p>
      ) : null}
      {notifications.failure === null ? null : (
        <p role="alert" className="border-t border-line-1 px-4 py-2.5 text-13">
          Push is not on: {notifications.failure || 'the server could not be asked.'} Until then an open tab
          tells you. The settings can try again.
        </p>
      )}
    </section>
  );
}

type Notifications = ReturnType<typeof useFirstSteps>['notifications'];

function notificationsHint({ byPush, needsInstall }: Notifications): string {
  if (needsInstall) return 'For apps on the Home Screen.';
  return byPush ? 'Of high priority items, also while Qinbox is closed.' : TEXTS.notifications.hint;
}

function TurnOn({ notifications, onPress }: { notifications: Notifications; onPress: () => Promise<void> }) {
  if (notifications.needsInstall)
    return (
      <Link href="/admin/notifications" className={buttonClass('secondary', 'touch:h-11')}>
        How
      </Link>
    );
  return (
    <Button className="touch:h-11" disabled={notifications.isBusy} onClick={() => void onPress()}>
      {notifications.isBusy ? 'Turning on…' : 'Turn on'}
    </Button>
  );
}

interface StepRowProps {
  step: Step;
  number: number;
  /** While it is not done. */
  hint: string;
  /** How it is done. */
  children: React.ReactNode;
}

function StepRow({ step: { id, isDone }, number, hint, children }: StepRowProps) {
  const { title, done } = TEXTS[id];
  return (
    <li className="flex min-h-16 items-center gap-3 px-4 py-2.5">
      <span
        aria-hidden
        className={`inline-flex size-6 shrink-0 items-center justify-center rounded-full border text-13 tabular-nums ${isDone === true ? 'border-ok text-ok' : 'border-line-2 text-ink-2'}`}
      >
        {isDone === true ? <Check size={15} strokeWidth={2.5} /> : number}
      </span>
      <div className="min-w-0 flex-1">
        <p className="text-14 font-medium">
          {title}
          {isDone === true ? <span className="sr-only">: done</span> : null}
        </p>
        <p className="text-13 text-ink-2">{isDone === true ? done : hint}</p>
      </div>
      {isDone === false ? children : null}
    </li>
  );
}
