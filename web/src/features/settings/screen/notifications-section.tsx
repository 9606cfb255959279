// What reaches a person while nobody is looking: pushes to their devices, when they are quiet, and what a tab
// of this browser tells.
import { useEffect } from 'react';
import { restorePush } from '../../../lib/push/device.ts';
import { usePushDevice } from '../../../lib/push/use-push-device.ts';
import { useSession } from '../../../lib/session/use-session.ts';
import { Loaded } from '../../../ui/loaded.tsx';
import { usePush, usePushDevices, useSaveRules } from '../data/push.ts';
import { NotificationsCard } from '../parts/preference-cards.tsx';
import { DevicesCard } from '../parts/push/devices-card.tsx';
import { PushedCard } from '../parts/push/pushed-card.tsx';
import { QuietCard } from '../parts/push/quiet-card.tsx';
import { SilenceCard } from '../parts/push/silence-card.tsx';
import { ThisDeviceCard } from '../parts/push/this-device-card.tsx';

export default function NotificationsSection() {
  const { authenticated } = useSession();
  const device = usePushDevice();
  const { refetch } = usePushDevices();
  return (
    <>
      <ThisDeviceCard device={device} onChanged={() => void refetch()} />
      {authenticated ? <PushCards device={device} /> : null}
      <NotificationsCard isPushed={device.isOn} />
    </>
  );
}

function PushCards({ device }: { device: ReturnType<typeof usePushDevice> }) {
  const saver = useSaveRules();
  const push = usePush();
  // Revoked on another device, or lost: this one finds out, and is what it says it is.
  const isUnknown =
    push.data !== undefined &&
    device.device !== null &&
    push.data.devices.every(({ id }) => id !== device.device);
  useEffect(() => {
    if (isUnknown) restorePush().catch(() => undefined);
  }, [isUnknown]);
  return (
    <Loaded query={push} loading="Loading push" failure="Failed to load what is pushed">
      {({ devices, rules }) => (
        <>
          <DevicesCard devices={devices} own={device} />
          <SilenceCard until={rules.doNotDisturbUntil} saver={saver} />
          <PushedCard rules={rules} saver={saver} />
          <QuietCard quiet={rules.quiet} saver={saver} />
        </>
      )}
    </Loaded>
  );
}
