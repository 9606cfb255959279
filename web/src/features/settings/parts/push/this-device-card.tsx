// Push on this device: on or off, or what is in the way and how to move it out.
import { BellOff, BellRing } from 'lucide-react';
import type { ReactNode } from 'react';
import { deviceName, type PushObstacle } from '../../../../lib/push/support.ts';
import type { usePushDevice } from '../../../../lib/push/use-push-device.ts';
import { session } from '../../../../lib/services.ts';
import { useSession } from '../../../../lib/session/use-session.ts';
import { ProblemBanner } from '../../../../ui/banner.tsx';
import { Button } from '../../../../ui/button.tsx';
import { Card } from '../../../../ui/card.tsx';

interface ThisDeviceCardProps {
  device: ReturnType<typeof usePushDevice>;
  /** After it was turned on or off. */
  onChanged: () => void;
}

export function ThisDeviceCard({ device, onChanged }: ThisDeviceCardProps) {
  const { authenticated } = useSession();
  const { isOn, obstacle, busy, problem, dismiss } = device;
  return (
    <Card
      title="Push on this device"
      description="Tells you of new items, also while Qinbox is closed. The contents are encrypted up to this browser."
    >
      <div className="flex flex-col gap-4">
        <ProblemBanner problem={problem} onDismiss={dismiss} />
        {obstacle === null ? null : <Obstacle obstacle={obstacle} />}
        {obstacle !== null ? null : !authenticated ? (
          <Row state="Sign in first: pushes tell of your own items.">
            <Button kind="primary" onClick={() => session.require()}>
              Sign In
            </Button>
          </Row>
        ) : (
          <Row state={isOn ? `On, as ${deviceName()}` : 'Off'} isOn={isOn}>
            <Button
              kind={isOn ? 'secondary' : 'primary'}
              disabled={busy}
              onClick={() => void (isOn ? device.turnOff() : device.turnOn()).then(onChanged)}
            >
              {isOn ? 'Turn off' : busy ? 'Turning on…' : 'Turn on'}
            </Button>
          </Row>
        )}
      </div>
    </Card>
  );
}

function Row({ state, isOn = false, children }: { state: string; isOn?: boolean; children: ReactNode }) {
  const Icon = isOn ? BellRing : BellOff;
  return (
    <div className="flex flex-wrap items-center justify-between gap-3">
      <p role="status" className="flex min-w-0 items-center gap-2.5 text-14 font-medium">
        <Icon size={17} aria-hidden className={`shrink-0 ${isOn ? 'text-ok' : 'text-ink-3'}`} />
        {state}
      </p>
      {children}
    </div>
  );
}

const TEXTS: Record<PushObstacle, { title: string; steps: readonly string[] }> = {
  insecure: {
    title: 'Not at this address',
    steps: [
      'Browsers take pushes only from an https address, or from localhost. Open Qinbox at one of these.',
    ],
  },
  install: {
    title: 'On the Home Screen only',
    steps: [
      'An iPhone or iPad gives pushes only to apps on the Home Screen. Press Share, then “Add to Home Screen”.',
      'Open Qinbox from the Home Screen, sign in, and turn push on here.',
    ],
  },
  unsupported: {
    title: 'Not in this browser',
    steps: [
      'This browser has no push messages, or has them switched off. Current versions of Chrome, Edge, Firefox and Safari have them, outside private windows.',
    ],
  },
  denied: {
    title: 'Not allowed by the browser',
    steps: [
      'Open the settings of this site: by the sign at the left of the address; for an app on the Home Screen, in the settings of the system under Notifications.',
      'Allow notifications, and load this page again.',
    ],
  },
};

function Obstacle({ obstacle }: { obstacle: PushObstacle }) {
  const { title, steps } = TEXTS[obstacle];
  return (
    <div role="status" className="rounded-md bg-warn-soft px-3.5 py-2.5 text-14">
      <p className="font-semibold">{title}</p>
      {steps.length === 1 ? (
        <p>{steps[0]}</p>
      ) : (
        <ol className="mt-0.5 list-decimal pl-5">
          {steps.map((step) => (
            <li key={step}>{step}</li>
          ))}
        </ol>
      )}
    </div>
  );
}
